import type {
  Answer,
  CommandName,
  Payload,
  TerminalSnapshot,
  TerminalView,
  Value,
  WorkbenchEvent,
} from '../../preload/contract';
import type { SampleTerminal } from './sample-machines';

type Handlers = { readonly [N in CommandName]?: (payload: Payload<N>) => Answer<Value<N>> };

const ESC = '\u001b';
/** A shell as one sees it: a coloured prompt, a listing, a test run, a link. */
const TEXT = [
  `${ESC}[01;32muser1@gpu-a${ESC}[00m:${ESC}[01;34m~/mars2${ESC}[00m$ ls`,
  `${ESC}[01;34mconfigs${ESC}[0m  ${ESC}[01;34mdata${ESC}[0m  ${ESC}[01;32mlaunch.sh${ESC}[0m  README.md  ${ESC}[01;36mruns${ESC}[0m  train.py`,
  `${ESC}[01;32muser1@gpu-a${ESC}[00m:${ESC}[01;34m~/mars2${ESC}[00m$ git status -sb`,
  `## ${ESC}[32mmain${ESC}[m...${ESC}[31morigin/main${ESC}[m`,
  ` ${ESC}[31mM${ESC}[m configs/marti/qwen3-8b-mars2.yaml`,
  `${ESC}[31m??${ESC}[m runs/2026-11-20/`,
  `${ESC}[01;32muser1@gpu-a${ESC}[00m:${ESC}[01;34m~/mars2${ESC}[00m$ pytest -q`,
  `${ESC}[32m.${ESC}[0m${ESC}[32m.${ESC}[0m${ESC}[31mF${ESC}[0m${ESC}[32m.${ESC}[0m${ESC}[33ms${ESC}[0m                                                    ${ESC}[31m[100%]${ESC}[0m`,
  `${ESC}[1m${ESC}[31mtests/test_reward.py${ESC}[0m:41: AssertionError: 0.25 != 0.5`,
  'Docs: https://docs.pytest.org/en/stable/how-to/failures.html',
  `${ESC}[33m1 failed, 3 passed, 1 skipped${ESC}[0m in 2.31s`,
  `${ESC}[01;32muser1@gpu-a${ESC}[00m:${ESC}[01;34m~/mars2${ESC}[00m$ `,
].join('\r\n');

function good<T>(value: T): Answer<T> {
  return { ok: true, value };
}

/** Terminals in memory: what is typed comes back. */
export function createSampleTerminals(
  first: readonly SampleTerminal[],
  nameOf: (machineId: string) => string,
  emit: (...batch: readonly WorkbenchEvent[]) => void,
): Handlers {
  const terminals = new Map<string, { view: TerminalView; text: string }>();
  const missing = (id: string): Answer<never> => ({
    ok: false,
    error: { code: 'not-found', message: `There is no terminal ${id} (any more).` },
  });
  const add = (sample: SampleTerminal): { view: TerminalView; text: string } => {
    const { machineId, state = 'open', durable = true, isLogin = false } = sample;
    const same = [...terminals.values()].filter(({ view }) => view.machineId === machineId).length;
    const view: TerminalView = {
      id: `terminal-${terminals.size + 1}`,
      machineId,
      title: `${nameOf(machineId)}${same === 0 ? '' : ` ${same + 1}`}`,
      purpose: isLogin ? 'login' : 'shell',
      state:
        state === 'ended'
          ? { kind: 'ended', code: durable ? 0 : 255 }
          : state === 'detached'
            ? {
                kind: 'detached',
                why: 'The connection is gone. The shell keeps running there; the workbench reattaches when it can.',
              }
            : { kind: 'open' },
      durable,
    };
    const terminal = { view, text: sample.text ?? TEXT };
    terminals.set(view.id, terminal);
    return terminal;
  };
  const changed = (): void =>
    emit({ kind: 'terminals-changed', terminals: [...terminals.values()].map(({ view }) => view) });
  const snapshot = ({ view, text }: { view: TerminalView; text: string }): TerminalSnapshot => ({
    view,
    offset: 0,
    text,
  });
  for (const sample of first) add(sample);
  return {
    'terminal.list': () => good([...terminals.values()].map(({ view }) => view)),
    'terminal.open': ({ machineId }) => {
      const terminal = add({ machineId });
      changed();
      return good(snapshot(terminal));
    },
    'terminal.attach': ({ terminalId }) => {
      const terminal = terminals.get(terminalId);
      return terminal === undefined ? missing(terminalId) : good(snapshot(terminal));
    },
    'terminal.write': ({ terminalId, text }) => {
      const terminal = terminals.get(terminalId);
      if (terminal === undefined) return missing(terminalId);
      const shown = text.replaceAll('\r', '\r\n$ ');
      const offset = terminal.text.length;
      terminal.text += shown;
      emit({ kind: 'terminal-output', terminalId, offset, text: shown });
      return good(null);
    },
    'terminal.resize': () => good(null),
    'terminal.acknowledge': () => good(null),
    'terminal.close': ({ terminalId }) => {
      terminals.delete(terminalId);
      changed();
      return good(null);
    },
  };
}
