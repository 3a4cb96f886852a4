import { type BrowserWindow, dialog, shell } from 'electron';
import {
  type Answer,
  type CommandName,
  commands,
  payloadProblem,
  type Refusal,
} from '../../preload/contract/index';
import type { Call, Workbench } from '../app/index';
import { CANCELLED, type WindowHandlers } from './ask-path';
import { exportHandlers, importHandlers } from './file-commands';
import { copyPicture, savePicture } from './pictures';
import { WrittenFiles } from './written-files';

/** Commands that need a system dialog. null: not one of them; the workbench itself answers. */
export type WindowCommands = (name: string, payload: unknown) => Promise<Answer<unknown>> | null;

const NOT_OPENED: Refusal = { code: 'cancelled', message: 'The address was not opened.' };
const NOT_WRITTEN: Refusal = {
  code: 'not-allowed',
  message: 'The folder was not shown: this window has not written that file.',
};
const IN_SERVICE: Refusal = { code: 'conflict', message: 'The background service runs already.' };
const NO_SERVICE: Refusal = { code: 'conflict', message: 'No background service runs.' };
const IS_SHOWN: Refusal = {
  code: 'conflict',
  message: "This window shows this computer's workbench already.",
};
/** Moves the window's work into a service and back, after the answer; null: it is there already. */
export type ServiceSwitch = {
  readonly start: ((registers: boolean) => void) | null;
  readonly takeBack: (() => void) | null;
  /** Starts the service again with the window's program; null: there is none on this computer. */
  readonly upgrade: (() => void) | null;
  /** Shows the service of a machine, or says why it cannot; null: one is shown. */
  readonly showMachine: ((machineId: string) => Promise<Answer<() => void>>) | null;
  /** Shows this computer's workbench again; null: it is shown. */
  readonly showHere: (() => void) | null;
  /** Commands of the machine's service with paths of that machine; null: none is shown. */
  readonly callThere: Call | null;
};

/** Names of files come only from a dialog: a page can open one but never name a file. */
export function createWindowCommands(
  window: BrowserWindow,
  workbench: Workbench,
  service: ServiceSwitch,
): WindowCommands {
  const written = new WrittenFiles();
  const handlers: WindowHandlers = {
    ...importHandlers(window, workbench.call, service.callThere),
    ...exportHandlers(window, workbench.call),
    ...serviceHandlers(service),
    'link.open': async ({ address }) => {
      const { response } = await dialog.showMessageBox(window, {
        type: 'question',
        message: 'Open this address in your browser?',
        detail: address,
        buttons: ['Open', 'Cancel'],
        defaultId: 1,
        cancelId: 1,
      });
      if (response !== 0) return { ok: false, error: NOT_OPENED };
      await shell.openExternal(address);
      return { ok: true, value: null };
    },
    'file.showInFolder': async ({ path }) => {
      if (!written.has(path)) return { ok: false, error: NOT_WRITTEN };
      shell.showItemInFolder(path);
      return { ok: true, value: null };
    },
    'picture.copy': (payload) => copyPicture(window, payload),
    'picture.choose': async (payload) => (await savePicture(window, payload)) ?? CANCELLED,
  };

  return (name, payload) => {
    if (!Object.hasOwn(handlers, name)) return null;
    const command = name as CommandName;
    const checked = commands[command].payload.safeParse(payload, { reportInput: true });
    if (!checked.success) {
      const message = payloadProblem(name, checked.error);
      return Promise.resolve({ ok: false, error: { code: 'invalid-payload', message } });
    }
    const handler = handlers[command] as (payload: unknown) => Promise<Answer<unknown>>;
    return handler(checked.data).then((answer) => written.note(answer));
  };
}

/** Each moves the window only after its answer has been sent. */
function serviceHandlers(service: ServiceSwitch): WindowHandlers {
  return {
    'service.start': async ({ registers }) => {
      if (service.start === null) return { ok: false, error: IN_SERVICE };
      setImmediate(service.start, registers);
      return { ok: true, value: null };
    },
    'service.takeBack': async () => {
      if (service.takeBack === null) return { ok: false, error: NO_SERVICE };
      setImmediate(service.takeBack);
      return { ok: true, value: null };
    },
    'service.upgrade': async () => {
      if (service.upgrade === null) return { ok: false, error: NO_SERVICE };
      setImmediate(service.upgrade);
      return { ok: true, value: null };
    },
    'service.showMachine': async ({ machineId }) => {
      if (service.showMachine === null) return { ok: false, error: IN_SERVICE };
      const opened = await service.showMachine(machineId);
      if (!opened.ok) return opened;
      setImmediate(opened.value);
      return { ok: true, value: null };
    },
    'service.showHere': async () => {
      if (service.showHere === null) return { ok: false, error: IS_SHOWN };
      setImmediate(service.showHere);
      return { ok: true, value: null };
    },
  };
}
