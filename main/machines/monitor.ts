import type {
  Connection,
  DoctorCheck,
  Gpu,
  GpuReading,
  MachineSpec,
  MachineView,
  Refusal,
  Reservation,
} from '../../preload/contract';
import { type Disposable, DisposableStore, Emitter, failed, ok, type Result } from '../base';
import type { ExaminationDeps } from './doctor/examination';
import { type DoctorProgress, examine } from './doctor/examine';
import { RESERVATION_ROOT } from './logic/reservation-files';
import type { AsyncResult, Machine } from './machine';
import { noSuchMachine } from './machine-list';
import { MachineProbe } from './machine-probe';
import { reserveGpu } from './reserve-gpu';

/** Interval for probing a connected machine that no caller probes. */
const POLL_MS = 60_000;

/** The monitor's interface to the fleet. */
export type MonitoredFleet = {
  readonly specs: () => readonly MachineSpec[];
  readonly get: (id: string) => Result<Machine, Refusal>;
  readonly connection: (id: string) => Connection;
  readonly onConnection: (listener: (machineId: string) => void) => Disposable;
};

/**
 * The state of the machines: their GPUs, the users and reservations of these, and problems that would prevent a first
 * job.
 */
export type MachineMonitor = {
  /** All machines, in the fleet's order. */
  readonly views: () => readonly MachineView[];
  readonly view: (id: string) => Result<MachineView, Refusal>;
  /** Reuses a result less than two seconds old; callers at the same time share one probe. */
  readonly probe: (id: string) => AsyncResult<MachineView>;
  /** For this user, from now on; `minutes` 0 cancels it. Advice to others: nothing keeps them from the GPU. */
  readonly reserve: (
    id: string,
    reservation: Pick<Reservation, 'gpuId' | 'note'> & { readonly minutes: number },
  ) => AsyncResult<MachineView>;
  /** All checks in a fixed order; one that fails or hangs is `unknown` and stops no other. */
  readonly doctor: (
    id: string,
    report: DoctorProgress,
    signal: AbortSignal,
  ) => AsyncResult<readonly DoctorCheck[]>;
  /** Called after every probe and on every change of a connection. */
  readonly onChange: (listener: (view: MachineView) => void) => Disposable;
  readonly dispose: () => void;
};

/**
 * `localGradingFinding`: what grading finds on this computer, for its doctor. `pollMs` and `reservationRoot` (absolute) are for
 * tests.
 */
export function createMachineMonitor(options: {
  readonly fleet: MonitoredFleet;
  readonly clock: { readonly now: () => number };
  readonly localGradingFinding?: ExaminationDeps['localGradingFinding'];
  readonly pollMs?: number;
  readonly reservationRoot?: string;
}): MachineMonitor {
  const { fleet, clock, localGradingFinding, pollMs = POLL_MS, reservationRoot = RESERVATION_ROOT } = options;
  const probes = new Map<string, { readonly address: string; readonly probe: MachineProbe }>();
  const reserving = new Map<string, Promise<unknown>>();
  const changes = new Emitter<MachineView>();
  const owned = new DisposableStore();
  let isOver = false;

  const probeOf = (spec: MachineSpec): MachineProbe => {
    const { id } = spec;
    const address = spec.kind === 'local' ? '' : (spec.host ?? '');
    const existing = probes.get(id);
    if (existing?.address === address) return existing.probe;
    // New, or another computer with the same name: forget the facts about the old one.
    const probe = new MachineProbe({ now: clock.now, reservationRoot, onProbed: () => emitChange(id) });
    probes.set(id, { address, probe });
    return probe;
  };
  const viewOf = (spec: MachineSpec): MachineView => {
    const { facts, gpus, reservations, reservationProblem } = probeOf(spec).lastReading();
    return {
      spec,
      connection: fleet.connection(spec.id),
      facts,
      gpus,
      reservations: [...reservations],
      ...(reservationProblem === null ? {} : { reservationProblem }),
    };
  };
  const emitChange = (id: string): void => {
    const view = isOver ? undefined : fleet.specs().find((spec) => spec.id === id);
    if (view !== undefined) changes.emit(viewOf(view));
  };
  const probeWith = async (id: string, how: 'probe' | 'probeAgain'): AsyncResult<MachineView> => {
    const machine = fleet.get(id);
    if (!machine.ok) return machine;
    const probed = await probeOf(machine.value.spec)[how](machine.value);
    return probed.ok ? monitor.view(id) : probed;
  };
  const isConnected = (id: string): boolean => fleet.connection(id).kind === 'connected';

  owned.add(
    fleet.onConnection((id) => {
      const spec = fleet.specs().find((machine) => machine.id === id);
      if (spec === undefined) {
        probes.delete(id);
        return;
      }
      emitChange(id);
      if (!isConnected(id)) return;
      probeOf(spec).forgetFacts();
      // A failed probe is reported by the connection and by the next caller.
      void probeWith(id, 'probe');
    }),
  );
  const timer = setInterval(() => {
    for (const spec of fleet.specs()) {
      // A screen that shows the machine may just have probed it.
      const isDue = clock.now() - probeOf(spec).probedAtMs >= pollMs / 2;
      if (isConnected(spec.id) && isDue) void probeWith(spec.id, 'probe');
    }
  }, pollMs);
  timer.unref();
  owned.add({ dispose: () => clearInterval(timer) });

  const monitor: MachineMonitor = {
    views: () => fleet.specs().map(viewOf),
    view: (id) => {
      const spec = fleet.specs().find((machine) => machine.id === id);
      return spec === undefined ? failed(noSuchMachine(id)) : ok(viewOf(spec));
    },
    probe: (id) => probeWith(id, 'probe'),
    reserve: async (id, reservation) => {
      const machine = fleet.get(id);
      if (!machine.ok) return machine;
      const probed = await probeWith(id, 'probe');
      if (!probed.ok) return probed;
      const { gpus, reservations } = probed.value;
      // A GPU that is gone may still be reserved, and its reservation can be cancelled.
      const gpuIds = [...(gpus?.gpus ?? []).map((gpu) => gpu.id), ...reservations.map(({ gpuId }) => gpuId)];
      if (!gpuIds.includes(reservation.gpuId))
        return failed({
          code: 'not-found',
          message: `${machine.value.spec.name} has no GPU "${reservation.gpuId}", so nothing was reserved.`,
          hint: gpuNames(gpus?.gpus ?? []),
        });
      // Reads and writes one file: of two reservations at once one would be lost.
      const reservationWrite = (reserving.get(id) ?? Promise.resolve()).then(() =>
        reserveGpu(machine.value, reservationRoot, reservation),
      );
      reserving.set(id, reservationWrite);
      const reserved = await reservationWrite;
      return reserved.ok ? probeWith(id, 'probeAgain') : reserved;
    },
    doctor: async (id, report, signal) => {
      const machine = fleet.get(id);
      if (!machine.ok) return machine;
      const readGpus = async (): AsyncResult<GpuReading | null> => {
        const probed = await probeWith(id, 'probe');
        return probed.ok ? ok(probed.value.gpus) : probed;
      };
      return examine({ machine: machine.value, clock, report, signal, readGpus, localGradingFinding });
    },
    onChange: (listener) => changes.on(listener),
    dispose: () => {
      isOver = true;
      owned.dispose();
    },
  };
  return monitor;
}

/** "It has: 0 (GPU-4f12), 1 (GPU-9a03)." */
function gpuNames(gpus: readonly Gpu[]): string {
  if (gpus.length === 0) return 'No GPU was found there.';
  const names = gpus.map(({ id, index }) => (index === null ? id : `${index} (${id})`));
  return `It has: ${names.join(', ')}. Name one by its number or by the id in brackets.`;
}
