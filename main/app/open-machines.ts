import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ok } from '../base/index';
import { createDetachedStarter, createJobService, createSlurmStarter } from '../jobs/index';
import { createMachineFleet, createMachineMonitor } from '../machines/index';
import { createServerService } from '../servers/index';
import { createTerminalService } from '../terminals/index';
import { createProblemReporter } from './forward-events';
import { localGradingFinding } from './grader-provider';
import { bufferedNotices } from './notices';
import { openForwards } from './open-forwards';
import { clock, newId, type ServiceContext } from './service-context';

/** Machines with their terminals, jobs and model servers. */
export async function openMachines({
  dataDir,
  project,
  appVersion,
  nodeRuntime,
  secrets,
  registry,
  events,
  log,
  controlFolder,
}: ServiceContext) {
  const fleet = createMachineFleet({
    registry,
    controlFolder,
    localHome: dataDir,
    // Logins are shown as terminals, and terminals are opened on machines: the fleet asks for one only later.
    offerLogin: (login, about) => terminals.adopt(login, { ...about, title: 'Log in', purpose: 'login' }),
    clock,
  });
  const terminals = createTerminalService({
    machines: fleet,
    newId,
    owner: createHash('sha256').update(dataDir).digest('hex').slice(0, 8),
  });
  const gradingFinding = localGradingFinding({
    resourcesDir: join(project, 'resources'),
    dataDir,
    registry,
  });
  const monitor = createMachineMonitor({ fleet, clock, localGradingFinding: gradingFinding });
  const gpus = async (machineId: string) => {
    const view = await monitor.probe(machineId);
    if (!view.ok) return view;
    const { gpus: measured, reservations, facts } = view.value;
    // A machine without the tools of any driver has no GPUs.
    const isComplete = measured === null ? facts !== null : measured.problems.length === 0;
    return ok({ gpus: measured?.gpus ?? [], reservations, user: facts?.user ?? '', isComplete });
  };
  const logLimitBytes = () => {
    const { jobLogGb } = registry.read().settings;
    return jobLogGb === null ? null : Math.round(jobLogGb * 1e9);
  };
  const detached = createDetachedStarter({ clock, logLimitBytes, workbench: appVersion });
  const slurm = createSlurmStarter({ clock, logLimitBytes, workbench: appVersion });
  const jobs = await createJobService({
    machines: fleet,
    starters: (machine) => (machine.spec.kind === 'slurm' ? slurm : detached),
    gpus,
    folder: join(dataDir, 'jobs'),
    clock,
    newId,
    settings: () => registry.read().settings,
    onError: createProblemReporter(events, log),
  });
  const jobNotices = bufferedNotices(jobs);
  const forwards = openForwards(fleet, jobs, clock);
  const servers = createServerService({
    jobs,
    machines: fleet,
    launches: () => registry.read().launches,
    gpus,
    secretOf: secrets.value,
    nodeRuntime,
    resourcesDir: join(project, 'resources'),
    modelServerScript: join(project, 'out', 'main', 'model-server.js'),
    clock,
  });
  // Servers outlive the app: those of an earlier start are shown, used again or stopped.
  await servers.reattach();
  return { fleet, terminals, monitor, forwards, gpus, jobs, jobNotices, servers };
}

export type Machines = Awaited<ReturnType<typeof openMachines>>;
