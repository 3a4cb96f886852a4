import type { CheckedPayload, Refusal, ServerLaunch } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import { type GpuAvailability, type JobService, neverStartsReason, specOfRequest } from '../../jobs/index';
import type { AsyncResult, MachineFleet } from '../../machines/index';
import { installLlamaCpp, type ServerService, smallModelLaunch } from '../../servers/index';
import type { Registry } from '../../storage/index';
import type { Handlers } from '../dispatch';
import type { LongTasks } from '../long-tasks';
import type { SecretStore } from '../secrets';

/** How long a job may take to end by itself before it is killed. */
const STOP_GRACE_MS = 10_000;

/** Jobs and their logs. */
export function jobHandlers({
  jobs,
  tasks,
  fleet,
  gpus,
}: {
  readonly jobs: JobService;
  readonly tasks: LongTasks;
  readonly fleet: Pick<MachineFleet, 'get'>;
  readonly gpus: (machineId: string) => AsyncResult<GpuAvailability>;
}): Handlers {
  /** A job that asks for more GPUs than its machine has would be queued for ever. */
  const never = async ({ machineId, resources }: CheckedPayload<'job.start'>): Promise<Refusal | null> => {
    const machine = fleet.get(machineId);
    if (!machine.ok) return machine.error;
    const [what, hint] = ['This job', 'Choose another machine, or fewer or smaller GPUs.'];
    return neverStartsReason(resources, machine.value, gpus, { what, hint });
  };
  const start = async (request: CheckedPayload<'job.start'>) => {
    const refusal = await never(request);
    if (refusal !== null) return failed(refusal);
    const started = await jobs.launch(specOfRequest(request));
    return started.ok ? jobs.view(started.value.id) : started;
  };
  const startMany = async ({ request, commandLines }: CheckedPayload<'job.startMany'>) => {
    const refusal = await never(request);
    if (refusal !== null) return failed(refusal);
    const started = await jobs.launchMany(
      commandLines.map((commandLine, i) =>
        specOfRequest({ ...request, commandLine, name: `${request.name.slice(0, 112)} ${i + 1}` }),
      ),
    );
    const views = started.flatMap((job) => (job.ok ? [jobs.view(job.value.id)] : []));
    const refused = started.flatMap((job, i) =>
      job.ok ? [] : [{ line: i + 1, message: job.error.message }],
    );
    const [first] = started;
    if (views.length === 0 && first !== undefined && !first.ok) return first;
    return ok({ jobs: views.flatMap((view) => (view.ok ? [view.value] : [])), refused });
  };
  return {
    'job.list': async () => ok([...jobs.views()]),
    'job.probe': async () => {
      await jobs.ready();
      return ok([...jobs.views()]);
    },
    'job.start': start,
    'job.startMany': startMany,
    'job.stop': async ({ jobId }) => {
      const stopped = await jobs.stop(jobId, STOP_GRACE_MS);
      return stopped.ok ? jobs.view(jobId) : stopped;
    },
    'job.retry': async ({ jobId }) => {
      const started = await jobs.relaunch(jobId);
      return started.ok ? jobs.view(jobId) : started;
    },
    'job.remove': ({ jobId }) => jobs.remove(jobId),
    'job.provenance': ({ jobId }) => jobs.provenance(jobId),
    'job.gpus': ({ jobId, points }) => jobs.gpus(jobId, points),
    'job.readLog': ({ jobId, log, offset, maxBytes, orCopy }) =>
      (orCopy ? jobs.readLogOrCopy : jobs.readLog)(jobId, log, offset, maxBytes),
    'job.searchLog': ({ jobId, log, text, offset, limit }) =>
      tasks.run('log-search', async (signal, report) => {
        const found = await jobs.searchLog(
          jobId,
          log,
          { text, offset, limit },
          (done, total) => report({ activity: 'searching the log', done, total, unit: 'bytes' }),
          signal,
        );
        return found.ok ? ok({ ...found.value, matches: [...found.value.matches] }) : found;
      }),
    'job.findLine': ({ jobId, log, line }) =>
      tasks.run('log-search', (signal) => jobs.findLine(jobId, log, line, signal)),
    'job.saveLog': ({ jobId, log, path }) =>
      tasks.run('log-download', (signal, report) =>
        jobs.saveLog(
          jobId,
          log,
          path,
          (done, total) => report({ activity: 'saving the log', done, total, unit: 'bytes' }),
          signal,
        ),
      ),
  };
}

/** Model servers, the launches that studies start by name, and the keys for external servers. */
export function serverHandlers({
  servers,
  fleet,
  jobs,
  registry,
  tasks,
  secrets,
  resourcesDir,
}: {
  readonly servers: ServerService;
  readonly fleet: Pick<MachineFleet, 'get'>;
  readonly jobs: Pick<JobService, 'launch' | 'views'>;
  readonly registry: Registry;
  readonly tasks: LongTasks;
  readonly secrets: SecretStore;
  /** The project's resources/. */
  readonly resourcesDir: string;
}): Handlers {
  const changeLaunches = async (
    next: (launches: readonly ServerLaunch[]) => ServerLaunch[],
  ): Promise<Result<null, Refusal>> => {
    const saved = await registry.update((data) => ({ ...data, launches: next(data.launches) }));
    return saved.ok ? ok(null) : saved;
  };
  const saveLaunch = async (launch: ServerLaunch): Promise<Result<ServerLaunch, Refusal>> => {
    const saved = await changeLaunches((launches) => [
      ...launches.filter(({ id }) => id !== launch.id),
      launch,
    ]);
    return saved.ok ? ok(launch) : saved;
  };
  return {
    'server.list': async () => ok([...servers.views()]),
    'server.stop': ({ serverId }) => servers.stop(serverId),
    'server.restart': ({ serverId }) => servers.restart(serverId),
    'server.remove': ({ serverId }) => servers.remove(serverId),
    'server.readLog': ({ serverId, offset, maxBytes }) => servers.readLog(serverId, offset, maxBytes),
    'server.plan': (launch) => servers.plan(launch),
    'server.launch': async ({ launchId }) => {
      const launched = await servers.launch(launchId);
      return launched.ok ? ok({ serverIds: [...launched.value] }) : launched;
    },
    'server.speedTest': ({ serverId, ...request }) =>
      tasks.run('speed-test', async (signal, report) => {
        const rows = await servers.speedTest(
          serverId,
          request,
          (done, total) => report({ activity: 'measuring', done, total, unit: 'requests' }),
          signal,
        );
        return rows.ok ? ok([...rows.value]) : rows;
      }),

    'server.install': async ({ machineId, withModel }) => {
      const machine = fleet.get(machineId);
      if (!machine.ok) return machine;
      const installed = await installLlamaCpp(machine.value, withModel, { jobs, resourcesDir });
      if (!installed.ok) return installed;
      const { program, job } = installed.value;
      if (!withModel) return ok({ program, launchId: null, job });
      const launch = smallModelLaunch(machineId, installed.value);
      const isSaved = registry.read().launches.some(({ id }) => id === launch.id);
      const saved = isSaved ? ok(launch) : await saveLaunch(launch);
      return saved.ok ? ok({ program, launchId: launch.id, job }) : saved;
    },

    'launch.list': async () => ok([...registry.read().launches]),
    'launch.save': saveLaunch,
    'launch.remove': async ({ launchId }) => {
      if (!registry.read().launches.some(({ id }) => id === launchId)) {
        return failed({ code: 'not-found', message: `There is no launch "${launchId}".` });
      }
      return changeLaunches((launches) => launches.filter(({ id }) => id !== launchId));
    },

    'secret.list': async () =>
      ok({ names: [...(await secrets.names())], problem: secrets.problem(), keptIn: secrets.keptIn }),
    'secret.save': ({ name, value }) => secrets.save(name, value),
    'secret.remove': ({ name }) => secrets.remove(name),
  };
}
