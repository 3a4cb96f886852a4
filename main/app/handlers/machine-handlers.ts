import type { CheckedPayload, Cluster, Refusal } from '../../../preload/contract/index';
import { jobHasEnded, LOCAL_MACHINE } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import { type JobService, readCluster, saveFile } from '../../jobs/index';
import {
  checkLearner,
  listFiles,
  type MachineFleet,
  type MachineMonitor,
  type PortForwards,
  preparedLearner,
  readFilePiece,
  regularFile,
} from '../../machines/index';
import type { GpuDays } from '../../plans/index';
import type { TerminalService } from '../../terminals/index';
import { prepareLearner } from '../../trainings/index';
import type { Handlers } from '../dispatch';
import type { LongTasks, ReportProgress } from '../long-tasks';

/** Machines: adding, removing and probing them, and terminals on them. */
export function machineHandlers(deps: {
  readonly fleet: MachineFleet;
  readonly monitor: MachineMonitor;
  readonly forwards: PortForwards;
  readonly jobs: Pick<JobService, 'launch' | 'views'>;
  readonly terminals: TerminalService;
  readonly tasks: LongTasks;
  readonly gpuDays: GpuDays;
  /** The project's resources/. */
  readonly resourcesDir: string;
  /** Called when a machine was removed. */
  readonly onRemoved: (machineId: string) => void;
}): Handlers {
  const { fleet, monitor, forwards, jobs, terminals, tasks, gpuDays, resourcesDir } = deps;

  const remove = async (machineId: string, anyway: boolean): Promise<Result<null, Refusal>> => {
    if (machineId === LOCAL_MACHINE) {
      return failed({ code: 'conflict', message: 'This computer cannot be removed.' });
    }
    const left = jobs.views().filter((job) => job.machineId === machineId && !jobHasEnded(job.state));
    if (left.length > 0 && !anyway) {
      return failed({
        code: 'conflict',
        message: `${left.length === 1 ? `The job "${left[0]?.name}" has` : `${left.length} jobs have`} not ended on this machine. After the removal it keeps running there, but the workbench no longer shows it.`,
        hint: 'Stop it first, or remove the machine anyway.',
      });
    }
    const removed = await fleet.remove(machineId);
    if (removed.ok) deps.onRemoved(machineId);
    return removed;
  };

  const cluster = async (machineId: string): Promise<Result<Cluster, Refusal>> => {
    const machine = fleet.get(machineId);
    if (!machine.ok) return machine;
    const { kind, name } = machine.value.spec;
    if (kind !== 'slurm') return failed({ code: 'conflict', message: `${name} is not a Slurm cluster.` });
    const read = await readCluster(machine.value);
    if (!read.ok) return read;
    const { partitions, accounts, version } = read.value;
    return ok({
      name: read.value.name,
      version,
      partitions: partitions.map((partition) => ({ ...partition, gpus: [...partition.gpus] })),
      accounts: [...accounts],
    });
  };

  const save = async (
    { machineId, path, to }: CheckedPayload<'machine.saveFile'>,
    report: ReportProgress,
    signal: AbortSignal,
  ) => {
    const machine = fleet.get(machineId);
    if (!machine.ok) return machine;
    const file = await regularFile(machine.value, path);
    if (!file.ok) return file;
    const activity = 'saving the file';
    const onBytes = (done: number, total: number) => report({ activity, done, total, unit: 'bytes' });
    return saveFile(machine.value, file.value, to, onBytes, signal);
  };

  return {
    'machine.list': async () => ok([...monitor.views()]),
    'machine.hosts': async () => {
      const added = new Set(fleet.specs().map((spec) => (spec.kind === 'local' ? null : spec.host)));
      return ok((await fleet.hosts()).map((host) => ({ host, isAdded: added.has(host) })));
    },
    'machine.add': async (spec) => {
      const added = await fleet.add(spec);
      if (!added.ok) return added;
      fleet.connect(spec.id);
      return monitor.view(spec.id);
    },
    'machine.change': async (spec) => {
      const changed = await fleet.change(spec);
      return changed.ok ? monitor.view(spec.id) : changed;
    },
    'machine.remove': ({ machineId, anyway }) => remove(machineId, anyway),
    'machine.connect': async ({ machineId }) => {
      const machine = fleet.get(machineId);
      if (!machine.ok) return machine;
      fleet.connect(machineId);
      return ok(null);
    },
    'machine.disconnect': async ({ machineId }) => {
      const machine = fleet.get(machineId);
      if (!machine.ok) return machine;
      fleet.disconnect(machineId);
      return ok(null);
    },
    'machine.probe': ({ machineId }) => monitor.probe(machineId),
    'machine.cluster': ({ machineId }) => cluster(machineId),
    'machine.forwards': async () => ok([...forwards.list()]),
    'machine.forward': (request) => forwards.open(request),
    'machine.closeForward': async ({ forwardId }) => forwards.close(forwardId),
    'machine.files': async ({ machineId, folder, ...names }) => {
      const machine = fleet.get(machineId);
      return machine.ok ? listFiles(machine.value, folder, names) : machine;
    },
    'machine.readFile': async ({ machineId, path, offset, maxBytes }) => {
      const machine = fleet.get(machineId);
      return machine.ok ? readFilePiece(machine.value, path, offset, maxBytes) : machine;
    },
    'machine.saveFile': (request) =>
      tasks.run('file-download', (signal, report) => save(request, report, signal)),
    'machine.reserve': ({ machineId, ...reservation }) => monitor.reserve(machineId, reservation),
    'machine.doctor': ({ machineId, learner }) =>
      tasks.run('doctor', async (signal, report) => {
        if (learner !== null) {
          const machine = fleet.get(machineId);
          if (!machine.ok) return machine;
          report({ activity: 'Learner', done: 0, total: null, unit: 'checks' });
          const found = await checkLearner(machine.value, { resourcesDir, ...learner, signal });
          return found.ok ? ok([...found.value]) : found;
        }
        const checks = await monitor.doctor(
          machineId,
          (done, total, activity) => report({ activity, done, total, unit: 'checks' }),
          signal,
        );
        return checks.ok ? ok([...checks.value]) : checks;
      }),

    'machine.learner': async ({ machineId }) => {
      const machine = fleet.get(machineId);
      if (!machine.ok) return machine;
      const python = await preparedLearner(machine.value, resourcesDir);
      return python.ok ? ok({ python: python.value }) : python;
    },
    'machine.prepareLearner': async ({ machineId, python }) => {
      const machine = fleet.get(machineId);
      return machine.ok ? prepareLearner(machine.value, python, { jobs, resourcesDir }) : machine;
    },

    'machine.gpuDay': (request) =>
      tasks.run('gpu-day', (signal, report) => gpuDays.run(request, signal, report)),
    'machine.gpuDayResults': ({ machineId }) => gpuDays.results(machineId),
    'machine.takeGpuDay': ({ machineId, text }) => gpuDays.take(machineId, text),

    'terminal.list': async () => ok([...terminals.list()]),
    'terminal.open': ({ machineId, ...size }) => terminals.open(machineId, size),
    'terminal.attach': async ({ terminalId }) => terminals.attach(terminalId),
    'terminal.write': async ({ terminalId, text }) => terminals.write(terminalId, text),
    'terminal.resize': async ({ terminalId, ...size }) => terminals.resize(terminalId, size),
    'terminal.acknowledge': async ({ terminalId, units }) => terminals.acknowledge(terminalId, units),
    'terminal.close': async ({ terminalId }) => terminals.close(terminalId),
  };
}
