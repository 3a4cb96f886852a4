import { lstat } from 'node:fs/promises';
import { homedir, hostname, userInfo } from 'node:os';
import {
  type CheckedPayload,
  type DiagnosticsPart,
  type DiagnosticsPartId,
  LOCAL_MACHINE,
  type MachineView,
  type Refusal,
  type Value,
} from '../../../preload/contract/index';
import { failed, HIDDEN, hideSecrets, ok, type Result } from '../../base/index';
import type { MachineMonitor } from '../../machines/index';
import { reasonOf, replaceFile } from '../../storage/index';
import { doctorText } from '../logic/doctor-text';
import { hideKnown, hideNames, nameTable } from '../logic/hide-names';
import { knownNames, userNames } from '../logic/known-names';
import { machinesText } from '../logic/machines-text';
import { namesOfWork, runningText, type Work } from '../logic/running-text';
import type { RecentMessage } from '../recent-messages';
import type { SecretStore } from '../secrets';
import { readLog } from './read-log';
import { readSizes } from './read-sizes';
import { readVersions } from './read-versions';

/** Collects the report of a problem, part by part, and writes it. */
export type Diagnostics = {
  /** Never fails: what hinders a part is said in it. `machineId`: whom the doctor checks. */
  readonly part: (part: DiagnosticsPartId, machineId?: string | null) => Promise<DiagnosticsPart>;
  /** A text as it may leave the workbench. */
  readonly hide: (text: string) => Promise<string>;
  readonly write: (
    file: CheckedPayload<'diagnostics.write'>,
  ) => Promise<Result<Value<'diagnostics.write'>, Refusal>>;
};

export type DiagnosticsDeps = {
  readonly appVersion: string;
  readonly dataDir: string;
  /** The project's folder. */
  readonly project: string;
  /** The path of the app's log. */
  readonly log: string;
  readonly monitor: Pick<MachineMonitor, 'views' | 'doctor'>;
  readonly grading: () => Promise<Pick<Value<'app.info'>, 'grader' | 'sandboxProblem' | 'pythonIsAtFault'>>;
  readonly work: () => Work;
  readonly messages: () => readonly RecentMessage[];
  readonly secrets: Pick<SecretStore, 'values'>;
  readonly now: () => number;
  /** How long each part may take, milliseconds; left out: long enough for what usually answers. */
  readonly timeoutMs?: number;
};

/** The doctor asks twenty questions; the others read what is at hand. */
const TIMEOUT_MS: Readonly<Record<DiagnosticsPartId, number>> = {
  versions: 15_000,
  'data-folder': 15_000,
  machines: 5_000,
  running: 5_000,
  doctor: 60_000,
  messages: 5_000,
  log: 15_000,
};
/** The start of a message says what it is about; the rest may quote files. */
const LONGEST_MESSAGE = 400;
/** Shorter keys stand in ordinary words. */
const SHORTEST_KEY = 4;

export function createDiagnostics(deps: DiagnosticsDeps): Diagnostics {
  const { appVersion, dataDir, project, log, monitor, work, messages } = deps;

  /** Hides what is known at this time: keys of the key store, machines that were added, names of studies and jobs. */
  const hider = async (): Promise<(text: string) => string> => {
    const keys = (await deps.secrets.values()).filter(({ length }) => length >= SHORTEST_KEY);
    const here = { home: homedir(), dataDir, project, user: userInfo().username, hostname: hostname() };
    const names = nameTable(knownNames(here, monitor.views()));
    const given = nameTable(userNames(namesOfWork(work())));
    return (text) => {
      let shown = text;
      for (const key of keys) shown = shown.split(key).join(HIDDEN);
      return hideKnown(hideNames(hideSecrets(shown), names), given).replace(/[^\P{Cc}\n\t]/gu, '?');
    };
  };

  const collect = async (
    part: DiagnosticsPartId,
    machineId: string | null,
    hide: (text: string) => string,
    signal: AbortSignal,
  ): Promise<string> => {
    switch (part) {
      case 'versions':
        return hide(await readVersions(appVersion, await deps.grading()));
      case 'data-folder':
        return hide(await readSizes(dataDir, { now: deps.now, signal }));
      case 'machines':
        return hide(machinesText(monitor.views()));
      case 'running':
        return runningText(work(), hide);
      case 'doctor':
        return hide(await examined(machineId ?? LOCAL_MACHINE, signal, monitor));
      case 'messages':
        return messagesText(messages(), hide);
      case 'log':
        return readLog(log, hide, signal);
    }
  };

  return {
    part: async (id, machineId = null) => {
      const limitMs = deps.timeoutMs ?? TIMEOUT_MS[id];
      const work = async (signal: AbortSignal): Promise<DiagnosticsPart> => {
        const hide = await hider();
        try {
          return { id, text: await collect(id, machineId, hide, signal), problem: null };
        } catch (error) {
          // A reason may quote a path.
          return { id, text: '', problem: `${hide(reasonOf(error))}.` };
        }
      };
      const part = await within(limitMs, work);
      const problem = `this part did not finish within ${Math.ceil(limitMs / 1_000)} seconds.`;
      return part ?? { id, text: '', problem };
    },
    hide: async (text) => (await hider())(text),
    write: (file) => writeDiagnostics(file),
  };
}

async function examined(
  machineId: string,
  signal: AbortSignal,
  monitor: DiagnosticsDeps['monitor'],
): Promise<string> {
  const checks = await monitor.doctor(machineId, () => undefined, signal);
  if (!checks.ok) throw new Error(checks.error.message.replace(/\.$/, ''));
  const views: readonly MachineView[] = monitor.views();
  const others = views.filter(({ spec }) => spec.kind !== 'local');
  const number = others.findIndex(({ spec }) => spec.id === machineId) + 1;
  const where = number === 0 ? 'Of this computer:' : `Of machine ${number}:`;
  return `${where}\n${doctorText(checks.value)}`;
}

/** Messages are hidden before they are cut: half a key is not known as one. */
function messagesText(messages: readonly RecentMessage[], hide: (text: string) => string): string {
  if (messages.length === 0) return 'None since the workbench was opened.';
  return messages
    .map(({ at, about, message }) => {
      const shown = hide(message).replace(/\s+/g, ' ').slice(0, LONGEST_MESSAGE);
      return `${at} ${about}: ${shown}`;
    })
    .join('\n');
}

/** null once the time is over; what was asked for is stopped. */
async function within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const isOver = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      resolve(null);
      controller.abort();
    }, ms);
  });
  try {
    return await Promise.race([work(controller.signal), isOver]);
  } finally {
    clearTimeout(timer);
  }
}

async function writeDiagnostics({
  path,
  text,
  overwrite,
}: CheckedPayload<'diagnostics.write'>): Promise<Result<Value<'diagnostics.write'>, Refusal>> {
  try {
    if (!overwrite && (await lstat(path).catch(() => null)) !== null) {
      return failed({
        code: 'conflict',
        message: `The file ${path} already exists, and nothing was written.`,
        hint: 'Choose another name, or add --overwrite.',
      });
    }
    await replaceFile(path, text, 0o600);
    return ok({ path, bytes: Buffer.byteLength(text) });
  } catch (error) {
    return failed({
      code: 'bad-input',
      message: `The report could not be saved to ${path}: ${reasonOf(error)}.`,
      hint: 'Choose an existing folder that you may write to.',
    });
  }
}
