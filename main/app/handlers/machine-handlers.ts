import type { Cluster, Refusal } from '../../../preload/contract/index';
import { jobHasEnded, LOCAL_MACHINE } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import { type JobService, readCluster, saveFile } from '../../jobs/index';
import {
  checkLearner,
  listFiles,
  type Machine,
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
import type { LongTasks } from '../long-tasks';

type MachineHandlerDeps = {
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
};

/** Machines: adding, removing and probing them, their files and ports, and terminals on them. */
export function machineHandlers(deps: MachineHandlerDeps): Handlers {
  return {
    ...listHandlers(deps),
    ...accessHandlers(deps),
    ...checkHandlers(deps),
    ...terminalHandlers(deps.terminals),
  };
}

/** The list of machines, and whether each is connected. */
function listHandlers(deps: MachineHandlerDeps): Handlers {
  const { fleet, monitor } = deps;
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
    'machine.remove': ({ machineId, anyway }) => removeMachine(deps, machineId, anyway),
    'machine.connect': ({ machineId }) =>
      onMachine(fleet, machineId, async () => {
        fleet.connect(machineId);
        return ok(null);
      }),
    'machine.disconnect': ({ machineId }) =>
      onMachine(fleet, machineId, async () => {
        fleet.disconnect(machineId);
        return ok(null);
      }),
    'machine.probe': ({ machineId }) => monitor.probe(machineId),
    'machine.cluster': ({ machineId }) => onMachine(fleet, machineId, clusterOf),
    'machine.reserve': ({ machineId, ...reservation }) => monitor.reserve(machineId, reservation),
  };
}

/** Ports and files. */
function accessHandlers({ fleet, forwards, tasks }: MachineHandlerDeps): Handlers {
  return {
    'machine.forwards': async () => ok([...forwards.list()]),
    'machine.forward': (request) => forwards.open(request),
    'machine.closeForward': async ({ forwardId }) => forwards.close(forwardId),
    'machine.files': ({ machineId, folder, ...names }) =>
      onMachine(fleet, machineId, (machine) => listFiles(machine, folder, names)),
    'machine.readFile': ({ machineId, path, offset, maxBytes }) =>
      onMachine(fleet, machineId, (machine) => readFilePiece(machine, path, offset, maxBytes)),
    'machine.saveFile': ({ machineId, path, to }) =>
      tasks.run('file-download', (signal, report) =>
        onMachine(fleet, machineId, async (machine) => {
          const file = await regularFile(machine, path);
          if (!file.ok) return file;
          const activity = 'saving the file';
          const onBytes = (done: number, total: number) => report({ activity, done, total, unit: 'bytes' });
          return saveFile(machine, file.value, to, onBytes, signal);
        }),
      ),
  };
}

/** Abilities of a machine: the doctor, the learner's environment, the GPU day. */
function checkHandlers({ fleet, monitor, jobs, tasks, gpuDays, resourcesDir }: MachineHandlerDeps): Handlers {
  return {
    'machine.doctor': ({ machineId, learner }) =>
      tasks.run('doctor', async (signal, report) => {
        const onLearner = async (machine: Machine, python: NonNullable<typeof learner>) => {
          report({ activity: 'Learner', done: 0, total: null, unit: 'checks' });
          return checkLearner(machine, { resourcesDir, ...python, signal });
        };
        const onCheck = (done: number, total: number, activity: string) =>
          report({ activity, done, total, unit: 'checks' });
        const checks =
          learner === null
            ? await monitor.doctor(machineId, onCheck, signal)
            : await onMachine(fleet, machineId, (machine) => onLearner(machine, learner));
        return checks.ok ? ok([...checks.value]) : checks;
      }),
    'machine.learner': ({ machineId }) =>
      onMachine(fleet, machineId, async (machine) => {
        const python = await preparedLearner(machine, resourcesDir);
        return python.ok ? ok({ python: python.value }) : python;
      }),
    'machine.prepareLearner': ({ machineId, python }) =>
      onMachine(fleet, machineId, (machine) => prepareLearner(machine, python, { jobs, resourcesDir })),
    'machine.gpuDay': (request) =>
      tasks.run('gpu-day', (signal, report) => gpuDays.run(request, signal, report)),
    'machine.gpuDayResults': ({ machineId }) => gpuDays.results(machineId),
    'machine.takeGpuDay': ({ machineId, text }) => gpuDays.take(machineId, text),
  };
}

function terminalHandlers(terminals: TerminalService): Handlers {
  return {
    'terminal.list': async () => ok([...terminals.list()]),
    'terminal.open': ({ machineId, ...size }) => terminals.open(machineId, size),
    'terminal.attach': async ({ terminalId }) => terminals.attach(terminalId),
    'terminal.write': async ({ terminalId, text }) => terminals.write(terminalId, text),
    'terminal.resize': async ({ terminalId, ...size }) => terminals.resize(terminalId, size),
    'terminal.acknowledge': async ({ terminalId, units }) => terminals.acknowledge(terminalId, units),
    'terminal.close': async ({ terminalId }) => terminals.close(terminalId),
  };
}

async function onMachine<T>(
  fleet: MachineFleet,
  machineId: string,
  act: (machine: Machine) => Promise<Result<T, Refusal>>,
): Promise<Result<T, Refusal>> {
  const machine = fleet.get(machineId);
  return machine.ok ? act(machine.value) : machine;
}

async function removeMachine(
  { fleet, jobs, onRemoved }: MachineHandlerDeps,
  machineId: string,
  anyway: boolean,
): Promise<Result<null, Refusal>> {
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
  if (removed.ok) onRemoved(machineId);
  return removed;
}

async function clusterOf(machine: Machine): Promise<Result<Cluster, Refusal>> {
  const { kind, name } = machine.spec;
  if (kind !== 'slurm') return failed({ code: 'conflict', message: `${name} is not a Slurm cluster.` });
  const read = await readCluster(machine);
  if (!read.ok) return read;
  const { partitions, accounts, version } = read.value;
  return ok({
    name: read.value.name,
    version,
    partitions: partitions.map((partition) => ({ ...partition, gpus: [...partition.gpus] })),
    accounts: [...accounts],
  });
}
