import { join } from 'node:path';
import type { Refusal, Settings, WorkbenchEvent } from '../../preload/contract/index';
import { Emitter, ok, type Result, shellWord } from '../base/index';
import type { NodeRuntime } from '../servers/index';
import { lockDataDir, makePrivate, openRegistry, type Registry, type WindowBounds } from '../storage/index';
import { controlSocketPath, serveControlSocket } from './control-socket';
import { type Call, dispatcher } from './dispatch';
import { privateFolder } from './folders';
import { forwardEvents } from './forward-events';
import { commandHandlers } from './handlers/index';
import { notifyAlarms, notifyExperimentEnds, notifyReproductionEnds, notifyStudyEnds } from './notices';
import { clock, closeServices, openServices, type Services, sleep } from './open-services';
import { restoreConnections } from './restore-connections';
import type { SecretStore } from './secrets';
import { sendToWebhook } from './webhook';

export type { Cipher } from './secrets';

/** The whole workbench behind one call; the window and the terminal use the same. */
export type Workbench = {
  /** Checks the payload, runs the command, answers with data. Never rejects for a mistake of the caller or in a file. */
  readonly call: Call;
  readonly events: Emitter<WorkbenchEvent>;
  readonly settings: () => Settings;
  readonly windowBounds: () => WindowBounds | null;
  readonly saveWindowBounds: (bounds: WindowBounds) => void;
  /** What was wrong with the data folder when it was opened, to show to the user; null: nothing. */
  readonly damage: string | null;
  /** What was done because other users could read the data folder; null: nothing, as at every later start. */
  readonly privacy: string | null;
  /** Shows a screen in the window. */
  readonly goTo: (path: string) => void;
  /** The computer woke from sleep: tries connections at once. */
  readonly wake: () => void;
  /** Stops what runs so that it can be resumed, and unlocks the data folder. */
  readonly close: () => Promise<void>;
};

type WorkbenchOptions = {
  readonly dataDir: string;
  /** The project's folder: built entries under out/, resources/. */
  readonly project: string;
  readonly appVersion: string;
  readonly nodeRuntime: NodeRuntime;
  readonly secrets: SecretStore;
  /** Connects machines that were connected when the app was last open. */
  readonly reconnects: boolean;
};

/** Locks the data folder, opens everything in it, and answers at its control socket. */
export async function openWorkbench(options: WorkbenchOptions): Promise<Result<Workbench, Refusal>> {
  const { dataDir, reconnects } = options;
  const lock = await lockDataDir(dataDir);
  if (!lock.ok) return lock;
  const repaired = await makePrivate(dataDir);
  const opened = await openRegistry(join(dataDir, 'registry.json'));
  if (!opened.ok) {
    await lock.value.dispose();
    return opened;
  }
  const registry = opened.value;
  const events = new Emitter<WorkbenchEvent>();
  const sockets = await privateFolder(process.env);
  const controlFolder = sockets.ok ? sockets.value : join(dataDir, 'sockets');
  const services = await openServices({ ...options, registry, events, controlFolder });

  sendNotifications(services, events, registry);
  forwardEvents(services, events);
  services.fleet.onConnection((machineId) => services.jobs.probeSoon(machineId));
  const connections = reconnects ? restoreConnections(services.fleet, registry) : null;
  const call = dispatcher(commandHandlers(services, { ...options, registry, events }), logBug);
  const closeControlSocket = sockets.ok
    ? await serveControlSocket(controlSocketPath(sockets.value, dataDir), { call, events })
    : async () => undefined;

  return ok({
    call,
    events,
    settings: () => registry.read().settings,
    windowBounds: () => registry.read().window,
    // A failed save costs only the window's position at the next start.
    saveWindowBounds: (bounds) => void registry.update((data) => ({ ...data, window: bounds })),
    damage: damageOf(registry, services),
    privacy: privacyOf(dataDir, repaired),
    goTo: (path) => events.emit({ kind: 'go-to', path }),
    wake: () => {
      services.fleet.wake();
      services.jobs.probeSoon();
    },
    close: async () => {
      connections?.dispose();
      await closeServices(services);
      await closeControlSocket();
      await lock.value.dispose();
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

function privacyOf(dataDir: string, { changed, left }: Awaited<ReturnType<typeof makePrivate>>): string | null {
  if (changed + left === 0) return null;
  const start = `Other users of this computer could read parts of the data folder ${dataDir}.`;
  const done = `${changed} of its files and folders are now for you alone.`;
  if (left === 0) return `${start} ${done}`;
  return `${start} ${done} ${left} could not be changed. See them with: find ${shellWord(dataDir)} -perm /077`;
}

function damageOf({ damaged }: Registry, { recovered }: Pick<Services, 'recovered'>): string | null {
  if (damaged === null) return null;
  const moved = `The registry was damaged (${damaged.why}) and was moved to ${damaged.movedTo}.`;
  if (!recovered.ok)
    return `${moved} The files of its studies still exist, but the studies are not listed. ${recovered.error.message}`;
  if (recovered.value.length === 0) return `${moved} No study was found in this data folder.`;
  return `${moved} Its ${recovered.value.length} studies were restored from their journals; settings are back to their defaults.`;
}

function logBug(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
