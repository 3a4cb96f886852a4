import type { Cluster, Refusal } from '../../../preload/contract/index';
import { jobHasEnded, LOCAL_MACHINE } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import { type JobService, readCluster } from '../../jobs/index';
import type { MachineCare, MachineFleet } from '../../machines/index';
import type { TerminalService } from '../../terminals/index';
import type { Handlers } from '../dispatch';
import type { LongTasks } from '../long-tasks';

/** Machines: adding and leaving them, looking at them, terminals on them. */
export function machineHandlers(around: {
  readonly fleet: MachineFleet;
  readonly care: MachineCare;
  readonly jobs: Pick<JobService, 'views'>;
  readonly terminals: TerminalService;
  readonly tasks: LongTasks;
  /** Told once a machine is gone from the list. */
  readonly onRemoved: (machineId: string) => void;
}): Handlers {
  const { fleet, care, jobs, terminals, tasks } = around;

  const remove = async (machineId: string, anyway: boolean): Promise<Result<null, Refusal>> => {
    if (machineId === LOCAL_MACHINE) {
      return failed({ code: 'conflict', message: 'This computer stays in the list.' });
    }
    const left = jobs.views().filter((job) => job.machineId === machineId && !jobHasEnded(job.state));
    if (left.length > 0 && !anyway) {
      return failed({
        code: 'conflict',
        message: `${left.length === 1 ? `The job "${left[0]?.name}" has` : `${left.length} jobs have`} not ended on this machine. It goes on there, but nobody here will see it.`,
        hint: 'Stop it first, or remove the machine anyway.',
      });
    }
    const removed = await fleet.remove(machineId);
    if (removed.ok) around.onRemoved(machineId);
    return removed;
  };

  const cluster = async (machineId: string): Promise<Result<Cluster, Refusal>> => {
    const machine = fleet.get(machineId);
    if (!machine.ok) return machine;
    const { kind, name } = machine.value.spec;
    if (kind !== 'slurm') return failed({ code: 'conflict', message: `${name} is no Slurm cluster.` });
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

  return {
    'machine.list': async () => ok([...care.views()]),
    'machine.hosts': async () => {
      const added = new Set(fleet.specs().map((spec) => (spec.kind === 'local' ? null : spec.host)));
      return ok((await fleet.hosts()).map((host) => ({ host, isAdded: added.has(host) })));
    },
    'machine.add': async (spec) => {
      const added = await fleet.add(spec);
      if (!added.ok) return added;
      fleet.connect(spec.id);
      return care.view(spec.id);
    },
    'machine.change': async (spec) => {
      const changed = await fleet.change(spec);
      return changed.ok ? care.view(spec.id) : changed;
    },
    'machine.remove': ({ machineId, anyway }) => remove(machineId, anyway),
    'machine.connect': async ({ machineId }) => {
      const known = fleet.get(machineId);
      if (!known.ok) return known;
      fleet.connect(machineId);
      return ok(null);
    },
    'machine.disconnect': async ({ machineId }) => {
      const known = fleet.get(machineId);
      if (!known.ok) return known;
      fleet.disconnect(machineId);
      return ok(null);
    },
    'machine.look': ({ machineId }) => care.look(machineId),
    'machine.cluster': ({ machineId }) => cluster(machineId),
    'machine.reserve': ({ machineId, ...order }) => care.reserve(machineId, order),
    'machine.doctor': ({ machineId }) =>
      tasks.run('doctor', async (signal, tell) => {
        const checks = await care.doctor(
          machineId,
          (done, total, what) => tell({ what, done, total, unit: 'checks' }),
          signal,
        );
        return checks.ok ? ok([...checks.value]) : checks;
      }),

    'terminal.list': async () => ok([...terminals.list()]),
    'terminal.open': ({ machineId, ...size }) => terminals.open(machineId, size),
    'terminal.attach': async ({ terminalId }) => terminals.attach(terminalId),
    'terminal.write': async ({ terminalId, text }) => terminals.write(terminalId, text),
    'terminal.resize': async ({ terminalId, ...size }) => terminals.resize(terminalId, size),
    'terminal.acknowledge': async ({ terminalId, units }) => terminals.acknowledge(terminalId, units),
    'terminal.close': async ({ terminalId }) => terminals.close(terminalId),
  };
}
