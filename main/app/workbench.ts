import { join } from 'node:path';
import type { Answer, Refusal, Settings, WorkbenchEvent } from '../../preload/contract/index';
import { counted, Emitter, ok, type Result, shellWord } from '../base/index';
import type { NodeRuntime } from '../servers/index';
import {
  type LockRefusal,
  lockDataDir,
  makePrivate,
  openRegistry,
  type Registry,
  unreadNames,
  type WindowBounds,
} from '../storage/index';
import { appLog } from './app-log';
import { type ClosingStep, closeInOrder } from './close-in-order';
import type { WorkbenchKind } from './control/frames';
import { controlSocketPath, serveControlSocket } from './control/server';
import { answerOfBug, type Call, dispatcher, type OnBug } from './dispatch';
import { privateFolder } from './folders';
import { forwardEvents } from './forward-events';
import { commandHandlers } from './handlers/index';
import { notifyAlarms, notifyExperimentEnds, notifyReproductionEnds, notifyStudyEnds } from './notices';
import { closingSteps, openServices, type Services } from './open-services';
import { programVersion } from './program-version';
import { createRecentMessages } from './recent-messages';
import { restoreConnections } from './restore-connections';
import type { SecretStore } from './secrets';
import { createMachineSockets } from './service/machine-sockets';
import { clock, sleep } from './service-context';
import { sendToWebhook } from './webhook';
import { detailsIn } from './window-errors';

/** The whole workbench behind one call; the window and the terminal use the same. */
export type Workbench = {
  /** Checks the payload, runs the command, answers with data. Never rejects for a mistake of the caller or in a file. */
  readonly call: Call;
  /** Logs an error that a command outside of `call` threw, and makes its answer. */
  readonly answerOfBug: (name: string, error: unknown) => Answer<never>;
  readonly events: Emitter<WorkbenchEvent>;
  readonly settings: () => Settings;
  readonly saveWindowBounds: (bounds: WindowBounds) => void;
  /** Problems of the data folder when it was opened, to show to the user; null: none. */
  readonly damage: string | null;
  /** The changes because other users could read the data folder; null: none, as at every later start. */
  readonly privacy: string | null;
  /** Shows a screen in the window. */
  readonly goTo: (path: string) => void;
  /** Shows the report of a problem in the window. */
  readonly reportProblem: () => void;
  /** The computer woke from sleep: tries connections at once. */
  readonly wake: () => void;
  /**
   * Stops what runs so that it can be resumed, `handOver`: by a service, on its own, and unlocks the data folder, also where
   * something cannot be closed: that is logged, and rejects in the end.
   */
  readonly close: (options?: { readonly handOver: boolean }) => Promise<void>;
};

type WorkbenchOptions = {
  readonly dataDir: string;
  /** The project's folder: built entries under out/, resources/. */
  readonly project: string;
  readonly appVersion: string;
  /** What runs it; a service also continues with the studies that it ran before. */
  readonly kind: WorkbenchKind;
  /** Of a terminal: what was typed, for others who find the folder in use. */
  readonly command?: string;
  readonly nodeRuntime: NodeRuntime;
  readonly secrets: SecretStore;
  /** Connects machines that were connected when the app was last open. */
  readonly reconnects: boolean;
  /** The data folder is another workbench's now (see `lockDataDir`): tell the user and end. Default: an exception. */
  readonly onLockLost?: (refusal: Refusal) => void;
  /** A client asks a service to end. Left out: it is none. */
  readonly onStop?: () => void;
};

/** Locks the data folder, opens everything in it, and answers at its control socket. */
export async function openWorkbench(options: WorkbenchOptions): Promise<Result<Workbench, LockRefusal>> {
  const { dataDir, reconnects, onLockLost, command } = options;
  const lock = await lockDataDir(dataDir, {
    ...(onLockLost === undefined ? {} : { onLost: onLockLost }),
    ...(command === undefined ? {} : { command }),
  });
  if (!lock.ok) return lock;
  const repaired = await makePrivate(dataDir);
  const opened = await openRegistry(join(dataDir, 'registry.json'));
  if (!opened.ok) {
    await lock.value.dispose();
    return opened;
  }
  const registry = opened.value;
  const events = new Emitter<WorkbenchEvent>();
  // A login's runtime folder goes when the user logs out; a service stays.
  const { XDG_RUNTIME_DIR: _login, ...lasting } = process.env;
  const sockets = await privateFolder(options.kind === 'service' ? lasting : process.env);
  const controlFolder = sockets.ok ? sockets.value : join(dataDir, 'sockets');
  const log = appLog(dataDir);
  log.write('info', 'workbench', `version ${options.appVersion} opened by process ${process.pid}`);
  const messages = createRecentMessages(events, () => new Date());
  const services = await openServices({ ...options, registry, events, log, controlFolder });

  sendNotifications(services, events, registry);
  forwardEvents(services, events);
  services.fleet.onConnection((machineId) => services.jobs.probeSoon(machineId));
  const connections = reconnects ? restoreConnections(services.fleet, registry) : null;
  if (options.kind === 'service') services.studies.goOnUnattended();
  const onBug: OnBug = (error, name) => {
    log.write('error', name, error);
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return `${detailsIn(log)} To report it: Help > Report a problem…, or in a terminal: mars2 doctor --report FILE.`;
  };
  const wake = (): void => {
    services.fleet.wake();
    services.jobs.probeSoon();
  };
  const damage = damageOf(registry, services);
  const machineSockets = createMachineSockets(sockets.ok ? sockets.value : null, dataDir);
  const handlers = commandHandlers(services, {
    ...{ ...options, registry, events, log, messages, wake, machineSockets },
    damage: () => damage,
    onStop: options.onStop ?? null,
  });
  const call = messages.noting(dispatcher(handlers, onBug));
  const closeControlSocket = sockets.ok
    ? await serveControlSocket(
        controlSocketPath(sockets.value, dataDir),
        { call, events },
        { kind: options.kind, version: programVersion(options.project, options.appVersion), dataDir },
      )
    : async () => undefined;

  return ok({
    call,
    answerOfBug: (name, error) => answerOfBug(name, error, onBug),
    events,
    settings: () => registry.read().settings,
    // A failed save costs only the window's position at the next start.
    saveWindowBounds: (bounds) => void registry.update((data) => ({ ...data, window: bounds })),
    damage,
    privacy: privacyOf(dataDir, repaired),
    goTo: (path) => events.emit({ kind: 'go-to', path }),
    reportProblem: () => events.emit({ kind: 'report-problem' }),
    wake,
    close: async ({ handOver } = { handOver: false }) => {
      const steps: readonly ClosingStep[] = [
        ['connections', () => connections?.dispose()],
        ...closingSteps(services, handOver),
        ['control socket', closeControlSocket],
        ['sockets of machines', () => machineSockets.dispose()],
        ['data folder', () => lock.value.dispose()],
      ];
      await closeInOrder(steps, (name, error) => log.write('error', `closing ${name}`, error));
    },
  });
}

/** Notifications of the desktop and the webhook about what ends or needs attention. */
function sendNotifications(
  { reproductions }: Pick<Services, 'reproductions'>,
  events: Emitter<WorkbenchEvent>,
  registry: Registry,
): void {
  const isStep = (studyId: string): boolean =>
    reproductions.list().some(({ steps }) => steps.some((step) => step.studyId === studyId));
  notifyStudyEnds(events, isStep);
  notifyExperimentEnds(events);
  notifyReproductionEnds(events);
  notifyAlarms(events);
  sendToWebhook({ events, settings: () => registry.read().settings, now: clock.now, sleep });
}

function privacyOf(
  dataDir: string,
  { changed, left }: Awaited<ReturnType<typeof makePrivate>>,
): string | null {
  if (changed + left === 0) return null;
  const start = `Other users of this computer could read parts of the data folder ${dataDir}.`;
  const done = `${changed} of its files and folders ${changed === 1 ? 'is' : 'are'} now for you alone.`;
  if (left === 0) return `${start} ${done}`;
  return `${start} ${done} ${left} could not be changed. See them with: find ${shellWord(dataDir)} -perm /077`;
}

/** What of the registry was lost; null: nothing. */
export function damageOf(
  { damaged, unread, read }: Pick<Registry, 'damaged' | 'unread' | 'read'>,
  { recovered }: Pick<Services, 'recovered'>,
): string | null {
  const sentences: string[] = [];
  if (damaged !== null) {
    sentences.push(
      `The registry was damaged (${damaged.why}) and was moved to ${damaged.movedTo}. What could be read of it is kept, the rest is back to its defaults.`,
    );
  }
  if (unread.length > 0) {
    sentences.push(
      `This version of the workbench cannot read these values of the registry: ${unreadNames(unread)}. They are kept for the version that wrote them.`,
    );
  }
  if (!recovered.ok) {
    sentences.push(
      `The files of studies that the registry does not list still exist, but they could not be restored. ${recovered.error.message}`,
    );
  } else if (recovered.value.length > 0) {
    const restored = counted(
      recovered.value.length,
      'study was restored from its journals',
      'studies were restored from their journals',
    );
    sentences.push(
      damaged === null
        ? `The registry did not list every study of this data folder: ${restored}. If registry.json was deleted, the settings are back to their defaults.`
        : `${restored}.`,
    );
  } else if (damaged !== null && read().studies.length === 0) {
    sentences.push('No study was found in this data folder.');
  }
  return sentences.length === 0 ? null : sentences.join(' ');
}
