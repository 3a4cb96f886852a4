import type {
  Connection,
  DoctorCheck,
  GpuReading,
  MachineSpec,
  MachineView,
  Refusal,
  Reservation,
} from '../../preload/contract';
import { type Disposable, DisposableStore, Emitter, failed, ok, type Result } from '../base';
import { type DoctorReport, examine } from './doctor';
import { RESERVATION_FOLDER } from './logic/reservation-files';
import type { AsyncResult, Machine } from './machine';
import { MachineProbe } from './machine-probe';
import { reserveOn } from './reserve-gpu';

/** How often a connected machine is probed at while nobody does. */
const POLL_MS = 60_000;

/** What care needs of the fleet. */
export type MonitoredFleet = {
  readonly specs: () => readonly MachineSpec[];
  readonly get: (id: string) => Result<Machine, Refusal>;
  readonly connection: (id: string) => Connection;
  readonly onConnection: (listener: (machineId: string) => void) => Disposable;
};

/** How the machines are: their GPUs, who uses and has reserved them, and what stands in the way of a first job. */
export type MachineMonitor = {
  /** Of all machines, in the fleet's order. */
  readonly views: () => readonly MachineView[];
  readonly view: (id: string) => Result<MachineView, Refusal>;
  /** The answer of a look under two seconds old is given again; callers at the same time share one look. */
  readonly probe: (id: string) => AsyncResult<MachineView>;
  /** For this user, from now on; `minutes` 0 takes it away. Advice to others: nothing keeps them from the GPU. */
  readonly reserve: (
    id: string,
    order: Pick<Reservation, 'gpuId' | 'note'> & { readonly minutes: number },
  ) => AsyncResult<MachineView>;
  /** All checks in a fixed order; one that fails or hangs is `unknown` and stops no other. */
  readonly doctor: (
    id: string,
    report: DoctorReport,
    signal: AbortSignal,
  ) => AsyncResult<readonly DoctorCheck[]>;
  /** Told after every look and on every change of a connection. */
  readonly onChange: (listener: (view: MachineView) => void) => Disposable;
  readonly dispose: () => void;
};

/** `pollMs` and `reservationFolder` (absolute, no quote in it) are for tests. */
export function createMachineMonitor(options: {
  readonly fleet: MonitoredFleet;
  readonly clock: { readonly now: () => number };
  readonly pollMs?: number;
  readonly reservationFolder?: string;
}): MachineMonitor {
  const { fleet, clock, pollMs = POLL_MS, reservationFolder = RESERVATION_FOLDER } = options;
  const watches = new Map<string, { readonly address: string; readonly watch: MachineProbe }>();
  const reserving = new Map<string, Promise<unknown>>();
  const changes = new Emitter<MachineView>();
  const owned = new DisposableStore();
  let isOver = false;

  const watchOf = (spec: MachineSpec): MachineProbe => {
    const { id } = spec;
    const address = spec.kind === 'local' ? '' : (spec.host ?? '');
    const known = watches.get(id);
    if (known?.address === address) return known.watch;
    // New, or another computer by the same name: nothing that was seen of the one is true of the other.
    const watch = new MachineProbe({ now: clock.now, reservationFolder, onProbed: () => tell(id) });
    watches.set(id, { address, watch });
    return watch;
  };
  const viewOf = (spec: MachineSpec): MachineView => {
    const known = watchOf(spec).known();
    return { spec, connection: fleet.connection(spec.id), ...known, reservations: [...known.reservations] };
  };
  const tell = (id: string): void => {
    const view = isOver ? undefined : fleet.specs().find((spec) => spec.id === id);
    if (view !== undefined) changes.emit(viewOf(view));
  };
  const probeWith = async (id: string, how: 'probe' | 'probeAgain'): AsyncResult<MachineView> => {
    const machine = fleet.get(id);
    if (!machine.ok) return machine;
    const probed = await watchOf(machine.value.spec)[how](machine.value);
    return probed.ok ? care.view(id) : probed;
  };
  const isConnected = (id: string): boolean => fleet.connection(id).kind === 'connected';

  owned.add(
    fleet.onConnection((id) => {
      const spec = fleet.specs().find((one) => one.id === id);
      if (spec === undefined) {
        watches.delete(id);
        return;
      }
      tell(id);
      if (!isConnected(id)) return;
      watchOf(spec).forgetFacts();
      void probeWith(id, 'probe');
    }),
  );
  const timer = setInterval(() => {
    for (const spec of fleet.specs()) {
      // Someone who looks at it has just done this.
      const isDue = clock.now() - watchOf(spec).probedAtMs >= pollMs / 2;
      if (isConnected(spec.id) && isDue) void probeWith(spec.id, 'probe');
    }
  }, pollMs);
  timer.unref();
  owned.add({ dispose: () => clearInterval(timer) });

  const care: MachineMonitor = {
    views: () => fleet.specs().map(viewOf),
    view: (id) => {
      const spec = fleet.specs().find((one) => one.id === id);
      return spec === undefined ? failed(noSuchMachine(id)) : ok(viewOf(spec));
    },
    probe: (id) => probeWith(id, 'probe'),
    reserve: async (id, order) => {
      const machine = fleet.get(id);
      if (!machine.ok) return machine;
      const probed = await probeWith(id, 'probe');
      if (!probed.ok) return probed;
      const { gpus, reservations } = probed.value;
      // One that is gone may still be reserved, and that may be taken back.
      const known = [...(gpus?.gpus ?? []).map((gpu) => gpu.id), ...reservations.map(({ gpuId }) => gpuId)];
      if (!known.includes(order.gpuId))
        return failed({
          code: 'not-found',
          message: `${machine.value.spec.name} has no GPU ${order.gpuId}: nothing was reserved. Look at its GPUs again.`,
        });
      // Reads and writes one file: two orders at once would lose one.
      const turn = (reserving.get(id) ?? Promise.resolve()).then(() =>
        reserveOn(machine.value, reservationFolder, order),
      );
      reserving.set(id, turn);
      const reserved = await turn;
      return reserved.ok ? probeWith(id, 'probeAgain') : reserved;
    },
    doctor: async (id, report, signal) => {
      const machine = fleet.get(id);
      if (!machine.ok) return machine;
      const reading = async (): AsyncResult<GpuReading | null> => {
        const probed = await probeWith(id, 'probe');
        return probed.ok ? ok(probed.value.gpus) : probed;
      };
      return examine({ machine: machine.value, clock, report, signal, reading });
    },
    onChange: (listener) => changes.on(listener),
    dispose: () => {
      isOver = true;
      owned.dispose();
    },
  };
  return care;
}

function noSuchMachine(id: string): Refusal {
  return { code: 'not-found', message: `There is no machine "${id}" in the list.` };
}
