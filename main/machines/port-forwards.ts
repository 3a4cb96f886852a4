import { once } from 'node:events';
import { createServer } from 'node:net';
import type { PortForward, Refusal } from '../../preload/contract';
import { type Disposable, DisposableStore, Emitter, failed, ok, type Result } from '../base';
import { type AsyncResult, type Forward, hostOf, type Machine } from './machine';
import type { MonitoredFleet } from './monitor';
import { forwardToNode } from './node-hop';

/** Each keeps a listener here and a channel there; a person looks at a handful. */
const MAX_FORWARDS = 50;
/** Between two attempts to reach a node again. */
const RETRY_MS = 2_000;

export type ForwardRequest = {
  readonly machineId: string;
  readonly port: number;
  /** The job whose node is meant, and with which the forward ends; null: the machine's own port. */
  readonly jobId: string | null;
  /** null: the same number where it is free, else any. */
  readonly localPort: number | null;
};

/** Ports of machines that lead to ports of this computer, for its browser. They are of this start of the app alone. */
export type PortForwards = {
  /** Oldest first. */
  readonly list: () => readonly PortForward[];
  /** Gives the one that exists where there is one. */
  readonly open: (request: ForwardRequest) => AsyncResult<PortForward>;
  readonly close: (id: string) => Result<null, Refusal>;
  readonly closeOfJob: (jobId: string) => void;
  readonly onChange: (listener: (forwards: readonly PortForward[]) => void) => Disposable;
  /** A sentence about one that ended without having been closed. */
  readonly onLost: (listener: (message: string) => void) => Disposable;
  readonly dispose: () => void;
};

type Entry = {
  readonly view: Omit<PortForward, 'brokenBy'>;
  readonly machine: Machine;
  /** null: it is tried again. */
  forward: Forward | null;
};

/** `nodeOf`: the node on which a job has its ports; null: the machine itself; refused where the job does not run. */
export function createPortForwards(deps: {
  readonly fleet: MonitoredFleet;
  readonly nodeOf: (machine: Machine, jobId: string) => AsyncResult<string | null>;
  readonly clock: { readonly now: () => number };
  readonly retryMs?: number;
}): PortForwards {
  const { fleet, nodeOf, clock, retryMs = RETRY_MS } = deps;
  const entries = new ForwardEntries(fleet);
  const opening = new Map<string, AsyncResult<PortForward>>();
  const losses = new Emitter<string>();
  const owned = new DisposableStore();
  let isOver = false;

  const retrySoon = (entry: Entry): void => {
    const timer = setTimeout(() => void retry(entry), retryMs);
    timer.unref();
  };
  const retry = async (entry: Entry): Promise<void> => {
    const { view, machine } = entry;
    const isCurrent = () => entries.get(view.id) === entry;
    if (!isCurrent()) return;
    if (fleet.connection(view.machineId).kind !== 'connected') return retrySoon(entry);
    const again = await openWay({ machine, ...view }, view.localPort, (forward) => broken(entry, forward));
    if (!isCurrent()) {
      if (again.ok) again.value.dispose();
      return;
    }
    if (!again.ok && again.error.code === 'unreachable') return retrySoon(entry);
    if (!again.ok) {
      entries.end(entry);
      losses.emit(`Port ${view.port} of ${view.node} is no longer forwarded. ${again.error.message}`);
      return;
    }
    entry.forward = again.value;
    entries.changed();
  };
  const broken = (entry: Entry, forward: Forward): void => {
    if (entry.forward !== forward) return;
    entry.forward = null;
    forward.dispose();
    entries.changed();
    retrySoon(entry);
  };

  const openNew = async (
    id: string,
    machine: Machine,
    { machineId, port, jobId, localPort }: ForwardRequest,
  ): AsyncResult<PortForward> => {
    if (entries.size + opening.size >= MAX_FORWARDS) return failed(tooMany());
    const node = jobId === null ? ok(null) : await nodeOf(machine, jobId);
    if (!node.ok) return node;
    const requestedPort = localPort ?? ((await isPortFree(port)) ? port : undefined);
    const about = { machine, port, node: node.value };
    let entry: Entry | null = null;
    const opened = await openWay(about, requestedPort, (forward) => entry !== null && broken(entry, forward));
    if (!opened.ok) return opened;
    // It may have been disconnected or removed meanwhile.
    if (isOver || fleet.connection(machineId).kind === 'off') {
      opened.value.dispose();
      return failed({ code: 'unreachable', message: `${machine.spec.name} is disconnected.` });
    }
    const since = new Date(clock.now()).toISOString();
    const { localPort: taken } = opened.value;
    entry = {
      view: { id, machineId, jobId, node: node.value, port, localPort: taken, since },
      machine,
      forward: opened.value,
    };
    entries.add(entry);
    return ok(viewOf(entry, fleet));
  };

  owned.add(
    fleet.onConnection((machineId) => {
      const spec = fleet.specs().find(({ id }) => id === machineId);
      const isGone = (entry: Entry): boolean =>
        spec === undefined ||
        hostOf(spec) !== hostOf(entry.machine.spec) ||
        fleet.connection(machineId).kind === 'off';
      entries.endMatching((entry) => entry.view.machineId === machineId && isGone(entry));
      if (entries.all().some(({ view }) => view.machineId === machineId)) entries.changed();
    }),
  );

  return {
    list: () => entries.views(),
    open: async (request) => {
      const machine = fleet.get(request.machineId);
      if (!machine.ok) return machine;
      if (machine.value.spec.kind === 'local') return failed(needsNoForward(request.port));
      const id = idOf(request);
      const existing = entries.get(id);
      if (existing !== undefined) {
        const { localPort } = existing.view;
        if (request.localPort === null || request.localPort === localPort) return ok(viewOf(existing, fleet));
        return failed(isForwarded(request.port, localPort));
      }
      const pending = opening.get(id);
      if (pending !== undefined) return pending;
      const opened = openNew(id, machine.value, request).finally(() => opening.delete(id));
      opening.set(id, opened);
      return opened;
    },
    close: (id) => {
      const entry = entries.get(id);
      if (entry === undefined) return failed({ code: 'not-found', message: 'This port is not forwarded.' });
      entries.end(entry);
      return ok(null);
    },
    closeOfJob: (jobId) => entries.endMatching(({ view }) => view.jobId === jobId),
    onChange: (listener) => entries.onChange(listener),
    onLost: (listener) => losses.on(listener),
    dispose: () => {
      isOver = true;
      owned.dispose();
      entries.endMatching(() => true);
    },
  };
}

/** The current forwards. */
class ForwardEntries {
  readonly #fleet: MonitoredFleet;
  readonly #entries = new Map<string, Entry>();
  readonly #changes = new Emitter<readonly PortForward[]>();

  constructor(fleet: MonitoredFleet) {
    this.#fleet = fleet;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  all(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  views(): readonly PortForward[] {
    return this.all().map((entry) => viewOf(entry, this.#fleet));
  }

  add(entry: Entry): void {
    this.#entries.set(entry.view.id, entry);
    this.changed();
  }

  end(entry: Entry): void {
    this.#entries.delete(entry.view.id);
    const { forward } = entry;
    // The end of its own hop is then no loss.
    entry.forward = null;
    forward?.dispose();
    this.changed();
  }

  endMatching(isMeant: (entry: Entry) => boolean): void {
    for (const entry of this.all()) if (isMeant(entry)) this.end(entry);
  }

  changed(): void {
    this.#changes.emit(this.views());
  }

  onChange(listener: (forwards: readonly PortForward[]) => void): Disposable {
    return this.#changes.on(listener);
  }
}

function viewOf({ view, machine, forward }: Entry, fleet: MonitoredFleet): PortForward {
  const isAway = fleet.connection(view.machineId).kind !== 'connected';
  const away = `${machine.spec.name} does not answer now.`;
  const broken = `The connection to ${view.node} ended; it is opened again.`;
  return { ...view, brokenBy: isAway ? away : forward === null ? broken : null };
}

/** `localPort` undefined: any free one. `onBroken`: the node no longer answers. */
async function openWay(
  to: { readonly machine: Machine; readonly port: number; readonly node: string | null },
  localPort: number | undefined,
  onBroken: (forward: Forward) => void,
): AsyncResult<Forward> {
  const { machine, port, node } = to;
  if (localPort !== undefined && !(await isPortFree(localPort))) return failed(isTaken(localPort));
  if (node === null) return machine.forward(port, localPort);
  const options = { subject: 'The job', ...(localPort === undefined ? {} : { localPort }) };
  const broken = (): void => {
    if (opened.ok) onBroken(opened.value);
  };
  const opened: Result<Forward, Refusal> = await forwardToNode(machine, node, port, broken, options);
  return opened;
}

function idOf({ machineId, port, jobId }: ForwardRequest): string {
  return [machineId, ...(jobId === null ? [] : [jobId]), port].join(':');
}

/** Whether this user can listen at this port of the loopback. */
async function isPortFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

function tooMany(): Refusal {
  return {
    code: 'conflict',
    message: `${MAX_FORWARDS} ports are forwarded already, which is the limit.`,
    hint: 'Close some that are no longer needed.',
  };
}

function needsNoForward(port: number): Refusal {
  return {
    code: 'conflict',
    message: `Port ${port} is on this computer already: it needs no forwarding.`,
    hint: `Open http://127.0.0.1:${port}.`,
  };
}

function isTaken(localPort: number): Refusal {
  return {
    code: 'conflict',
    message: `Port ${localPort} of this computer cannot be used: another program listens there, or only root may.`,
    hint: 'Leave the local port out, and a free one is taken.',
  };
}

function isForwarded(port: number, localPort: number): Refusal {
  return {
    code: 'conflict',
    message: `Port ${port} is forwarded already, at port ${localPort} of this computer.`,
    hint: 'Close it first to choose another local port.',
  };
}
