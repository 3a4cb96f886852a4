import type {
  Answer,
  CommandName,
  Gpu,
  JobLog,
  JobState,
  JobView,
  MachineView,
  Payload,
  ServerLaunch,
  ServerView,
  Value,
  WorkbenchEvent,
} from '../../preload/contract';
import { jobResourcesSchema, jobViewSchema, serverLaunchSchema } from '../../preload/contract';
import { LAUNCH_PRESETS, launchFromPreset, launchServer } from '../../preload/contract/plans';
import { sampleGpuCurves } from './sample-gpu-curves';
import {
  FAILED_LOG,
  madeUpLog,
  readSampleLog,
  type SampleLog,
  SET_UP_LOG,
  searchSampleLog,
  TRAINING_LOG,
  textLog,
  VLLM_LOG,
} from './sample-logs';
import { sampleProvenance } from './sample-provenance';
import { sampleUsage } from './sample-usage';

type Handlers = { readonly [N in CommandName]?: (payload: Payload<N>) => Answer<Value<N>> };

const MINUTE = 60_000;

function good<T>(value: T): Answer<T> {
  return { ok: true, value };
}

function missing(what: string): Answer<never> {
  return { ok: false, error: { code: 'not-found', message: `There is no ${what}.` } };
}

function gpu(index: number, change: Partial<Gpu> = {}): Gpu {
  return {
    id: `GPU-5f0c1a2e-0000-4000-8000-00000000000${index}`,
    index,
    name: 'NVIDIA H100 80GB HBM3',
    vendor: 'nvidia',
    sliceOf: null,
    utilisation: 0,
    memoryUsedMib: 4,
    memoryTotalMib: 81_559,
    temperatureC: 34,
    powerW: 71,
    powerLimitW: 700,
    problems: [],
    processes: [],
    ...change,
  };
}

function busy(user: string, memoryMib: number, command: string): Partial<Gpu> {
  const startedAt = new Date(Date.now() - 200 * MINUTE).toISOString();
  return {
    utilisation: 92,
    memoryUsedMib: memoryMib,
    processes: [{ pid: 48_211, user, command, memoryMib, startedAt }],
  };
}

const SECRETS_IN = 'a file that is encrypted with the desktop’s key store';

/** This computer, a GPU machine that others use as well, a cluster, and one that does not answer. */
export function sampleLab(): readonly MachineView[] {
  const now = Date.now();
  const at = new Date(now).toISOString();
  const facts = {
    hostname: 'gpu1',
    user: 'lab',
    home: '/home/lab',
    system: 'Linux 6.1 x86_64',
    cores: 96,
    memoryMib: 1_031_000,
    diskFreeMib: 812_000,
    diskTotalMib: 3_600_000,
  };
  const connected = { kind: 'connected', since: at } as const;
  return [
    {
      spec: { kind: 'local', id: 'local', name: 'This computer' },
      connection: connected,
      facts: { ...facts, hostname: 'laptop', cores: 8, memoryMib: 32_000 },
      gpus: null,
      reservations: [],
    },
    {
      spec: { kind: 'ssh', id: 'gpu1', name: 'gpu1', host: 'gpu1' },
      connection: connected,
      facts,
      gpus: {
        at,
        driver: '550.54',
        gpus: [
          gpu(0, busy('lab', 70_120, 'vllm')),
          gpu(1, busy('lab', 70_120, 'vllm')),
          gpu(2, busy('mira', 41_870, 'python')),
          gpu(3),
          gpu(4),
          gpu(5),
          gpu(6),
          gpu(7, { problems: ['Two uncorrectable memory errors since the last reset.'] }),
        ],
        problems: [],
        history: {},
      },
      reservations: [
        { gpuId: gpu(4).id, user: 'user3', note: 'demo', until: new Date(now + 90 * MINUTE).toISOString() },
      ],
    },
    {
      spec: {
        kind: 'slurm',
        id: 'cluster',
        name: 'Cluster',
        host: 'login',
        defaults: { partition: 'gpu', account: '', minutes: 1_440, options: '' },
      },
      connection: connected,
      facts: { ...facts, hostname: 'login' },
      gpus: null,
      reservations: [],
    },
    {
      spec: { kind: 'ssh', id: 'basement', name: 'Basement', host: 'basement' },
      connection: {
        kind: 'unreachable',
        since: new Date(now - 42 * MINUTE).toISOString(),
        lastSeenAt: new Date(now - 42 * MINUTE).toISOString(),
        message: 'ssh: connect to host basement port 22: No route to host.',
        nextTryAt: new Date(now + MINUTE).toISOString(),
      },
      facts: null,
      gpus: null,
      reservations: [],
    },
  ];
}

/** A job with nothing special about it. `minutesAgo`: when it was asked for. */
export function sampleJob(change: Partial<JobView> = {}, minutesAgo = 30): JobView {
  const at = (minutes: number): string => new Date(Date.now() - minutes * MINUTE).toISOString();
  const job = jobViewSchema.parse({
    id: 'job-1',
    machineId: 'gpu1',
    name: 'Train',
    purpose: 'command',
    commandLine: 'python train.py --config configs/marti-8b.yaml',
    setUp: '',
    cwd: '/home/lab/marti',
    env: {},
    resources: jobResourcesSchema.parse({}),
    retry: { lost: 0, failed: 0 },
    state: { kind: 'running', pid: 48_211 },
    createdAt: at(minutesAgo),
    startedAt: at(minutesAgo),
    endedAt: null,
    attempts: 1,
    gpuIds: [],
    slurmId: null,
    lastOutputAt: at(0.2),
    logBytes: TRAINING_LOG.size(),
    timeline: [
      { at: at(minutesAgo), what: 'asked for', why: '' },
      { at: at(minutesAgo), what: 'starting', why: '' },
      { at: at(minutesAgo - 0.05), what: 'running', why: 'process 48211' },
    ],
  });
  return { ...job, ...change };
}

function ended(
  state: JobState,
  what: string,
  why: string,
  minutesAgo: number,
  ranMinutes: number,
): Partial<JobView> {
  const at = (minutes: number): string => new Date(Date.now() - minutes * MINUTE).toISOString();
  return {
    state,
    startedAt: at(minutesAgo),
    endedAt: at(minutesAgo - ranMinutes),
    lastOutputAt: at(minutesAgo - ranMinutes),
    timeline: [
      { at: at(minutesAgo), what: 'starting', why: '' },
      { at: at(minutesAgo), what: 'running', why: 'process 2211' },
      { at: at(minutesAgo - ranMinutes), what, why },
    ],
  };
}

function sampleJobs(): readonly JobView[] {
  const at = (minutes: number): string => new Date(Date.now() - minutes * MINUTE).toISOString();
  return [
    sampleJob(
      {
        id: 'job-train',
        name: 'MARTI, Qwen3-8B, seed 1',
        purpose: 'training',
        setUp: 'module load cuda/12.4\nsource ~/envs/marti/bin/activate',
        env: { WANDB_MODE: 'offline', OMP_NUM_THREADS: '8' },
        resources: jobResourcesSchema.parse({ gpus: 2 }),
        retry: { lost: 2, failed: 0 },
        gpuIds: [gpu(0).id, gpu(1).id],
        idleGpus: [1],
        attempts: 2,
        timeline: [
          { at: at(432), what: 'asked for', why: '' },
          { at: at(432), what: 'queued', why: 'GPU 0 and GPU 1 were in use by mira' },
          { at: at(401), what: 'starting', why: 'GPU 0 and GPU 1 are free' },
          { at: at(401), what: 'running', why: 'process 20114' },
          { at: at(240), what: 'unknown', why: 'gpu1 did not answer' },
          { at: at(230), what: 'lost', why: 'the machine was restarted' },
          { at: at(230), what: 'starting', why: 'again by itself: 1 of 2 after a loss' },
          { at: at(229), what: 'running', why: 'process 48211' },
        ],
      },
      432,
    ),
    sampleJob(
      {
        id: 'job-unknown',
        machineId: 'basement',
        name: 'Evaluate checkpoints 10 to 40',
        commandLine: 'bash eval_all.sh 10 40',
        state: { kind: 'unknown', since: at(42), last: 'running' },
        lastOutputAt: at(43),
        logBytes: 81_220_114,
      },
      300,
    ),
    sampleJob(
      {
        id: 'job-queued',
        name: 'AReaL-boba-2-14B, seed 2',
        commandLine: 'python train.py --config configs/marti-14b.yaml --seed 2',
        resources: jobResourcesSchema.parse({ gpus: 4, gpuMemoryMib: 73_728 }),
        state: { kind: 'queued', why: '4 GPUs with 72 GiB free are wanted, 3 are free now' },
        startedAt: null,
        lastOutputAt: null,
        logBytes: 0,
        timeline: [
          { at: at(12), what: 'asked for', why: '' },
          { at: at(12), what: 'queued', why: '4 GPUs with 72 GiB free are wanted, 3 are free now' },
        ],
      },
      12,
    ),
    sampleJob(
      {
        id: 'job-failed',
        name: 'MARTI, Qwen3-8B, batch 512',
        logBytes: FAILED_LOG.size(),
        ...ended({ kind: 'exited', code: 1, endedAt: at(61) }, 'exited', 'code 1', 70, 9),
      },
      71,
    ),
    sampleJob(
      {
        id: 'job-killed',
        name: 'Merge shards',
        commandLine: 'python merge.py --in out/ --out merged/',
        ...ended({ kind: 'exited', code: 137, endedAt: at(500) }, 'exited', 'code 137', 520, 20),
      },
      521,
    ),
    sampleJob(
      {
        id: 'job-lost',
        machineId: 'cluster',
        name: 'Ablation without feedback',
        slurmId: '48213',
        resources: jobResourcesSchema.parse({ gpus: 1, minutes: 720, partition: 'gpu' }),
        ...ended({ kind: 'lost', why: 'the node was restarted' }, 'lost', 'the node was restarted', 900, 300),
      },
      910,
    ),
    sampleJob(
      {
        id: 'job-done',
        machineId: 'local',
        name: 'Download LiveCodeBench',
        commandLine: 'python fetch.py livecodebench --version release_v6',
        ...ended({ kind: 'exited', code: 0, endedAt: at(1_400) }, 'exited', 'code 0', 1_412, 12),
      },
      1_412,
    ),
    sampleJob(
      {
        id: 'job-huge',
        name: 'Ten gigabytes of output',
        commandLine: 'python generate.py --all',
        logBytes: 10_000_000_000,
      },
      2_000,
    ),
  ];
}

const SERVER_STARTED = (minutes: number): string => new Date(Date.now() - minutes * MINUTE).toISOString();

function launchedServer(change: Partial<ServerView>, minutesAgo: number): ServerView {
  const at = (seconds: number): string =>
    new Date(Date.now() - minutesAgo * MINUTE + seconds * 1_000).toISOString();
  return {
    id: 'server-qwen',
    kind: 'vllm',
    model: 'Qwen3-8B',
    state: { kind: 'ready', baseUrl: 'http://127.0.0.1:41213/v1' },
    startedAt: SERVER_STARTED(minutesAgo),
    pid: 48_213,
    studyId: null,
    inFlight: 24,
    answered: 8_114,
    logBytes: VLLM_LOG.size(),
    machineId: 'gpu1',
    jobId: 'server-qwen',
    launchId: 'qwen3-8b',
    gpuIds: [gpu(0).id],
    stages: [
      { name: 'process up', at: at(1) },
      { name: 'weights loading', at: at(6) },
      { name: 'warming up', at: at(44) },
      { name: 'port open', at: at(79) },
      { name: 'model listed', at: at(79) },
      { name: 'one real token', at: at(81) },
    ],
    metrics: {
      at: new Date().toISOString(),
      running: 24,
      waiting: 3,
      tokensPerSecond: 1_984,
      cacheUse: 0.41,
    },
    diagnosis: null,
    spec: launchServer(change.launchId ?? 'qwen3-8b', change.model ?? 'Qwen3-8B'),
    ...change,
  };
}

/** Servers of a lab's day: two replicas at work, one that loads, one that had no room. */
export function sampleLaunchedServers(): readonly ServerView[] {
  const at = (seconds: number): string => new Date(Date.now() - seconds * 1_000).toISOString();
  return [
    launchedServer({}, 95),
    launchedServer(
      {
        id: 'server-qwen-2',
        jobId: 'server-qwen-2',
        gpuIds: [gpu(1).id],
        inFlight: 21,
        answered: 7_902,
        metrics: {
          at: new Date().toISOString(),
          running: 21,
          waiting: 0,
          tokensPerSecond: 1_761,
          cacheUse: 0.36,
        },
      },
      95,
    ),
    launchedServer(
      {
        id: 'server-boba',
        jobId: 'server-boba',
        kind: 'sglang',
        model: 'AReaL-boba-2-14B',
        launchId: 'areal-boba-2-14b',
        state: { kind: 'starting', stage: 'weights loading: 3 of 6 shards, 50 %' },
        startedAt: at(64),
        gpuIds: [gpu(3).id],
        inFlight: 0,
        answered: 0,
        metrics: null,
        stages: [
          { name: 'process up', at: at(62) },
          { name: 'weights loading', at: at(48) },
        ],
      },
      1,
    ),
    launchedServer(
      {
        id: 'server-nemotron',
        jobId: 'server-nemotron',
        model: 'OpenCodeReasoning-Nemotron-1.1-32B',
        launchId: 'nemotron-32b',
        state: {
          kind: 'failed',
          message: 'The process ended with exit code 1 while the weights were loaded.',
        },
        pid: null,
        gpuIds: [gpu(2).id],
        inFlight: 0,
        answered: 0,
        metrics: null,
        stages: [{ name: 'process up', at: at(1_200) }],
        diagnosis: {
          cause: 'The GPU ran out of memory.',
          todo: 'Take two GPUs, or one that nobody else uses: GPU 2 has 39 GiB free and the weights alone are 61 GiB.',
          inLaunch: true,
          lines: [
            'INFO 01-05 10:02:11 [gpu_model_runner.py:1531] Starting to load model nvidia/OpenCodeReasoning-Nemotron-1.1-32B...',
            'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 270.00 MiB.',
            'RuntimeError: Engine core initialization failed. See root cause above.',
          ],
        },
      },
      20,
    ),
  ];
}

export function sampleLaunches(): readonly ServerLaunch[] {
  return LAUNCH_PRESETS.slice(0, 3).map((preset, at) => ({
    ...launchFromPreset(preset, { id: preset.id, machineId: 'gpu1', memoryGib: 80 }),
    replicas: at === 0 ? 2 : 1,
    engine: at === 2 ? 'sglang' : 'vllm',
  }));
}

export type SampleLabOptions = {
  readonly jobs?: readonly JobView[];
  readonly servers?: readonly ServerView[];
  readonly launches?: readonly ServerLaunch[];
  readonly secrets?: Value<'secret.list'>;
  /** Logs by job or server id. */
  readonly logs?: Readonly<Record<string, SampleLog>>;
  /** Jobs of which it is not recorded what made them. */
  readonly unrecorded?: readonly string[];
};

/** The options of a lab's ordinary day. */
export function busyLab(): SampleLabOptions {
  return {
    jobs: sampleJobs(),
    servers: sampleLaunchedServers(),
    launches: sampleLaunches(),
    secrets: { names: ['lab-gateway', 'open-router'], problem: null, keptIn: SECRETS_IN },
  };
}

/** Jobs, launches and keys in memory, with the answers and events of main. */
export function sampleJobHandlers(
  options: SampleLabOptions,
  emit: (...batch: readonly WorkbenchEvent[]) => void,
): Handlers {
  const jobs = new Map((options.jobs ?? []).map((job) => [job.id, job]));
  const launches = new Map((options.launches ?? []).map((launch) => [launch.id, launch]));
  let secrets = options.secrets ?? { names: [], problem: null, keptIn: SECRETS_IN };
  const huge = madeUpLog(() => 10_000_000_000);
  const logOf = (id: string, log: JobLog): SampleLog => {
    const own = options.logs?.[id];
    if (own !== undefined) return own;
    if (log === 'set-up') return SET_UP_LOG;
    if (id === 'job-huge') return huge;
    if (id === 'job-failed' || id === 'server-nemotron') return FAILED_LOG;
    if (id.startsWith('server-')) return VLLM_LOG;
    return jobs.get(id)?.logBytes === 0 ? textLog('') : TRAINING_LOG;
  };
  const change = (id: string, part: Partial<JobView>, moment: string): Answer<JobView> => {
    const before = jobs.get(id);
    if (before === undefined) return missing(`job ${id}`);
    const at = new Date().toISOString();
    const job = { ...before, ...part, timeline: [...before.timeline, { at, what: moment, why: '' }] };
    jobs.set(id, job);
    emit({ kind: 'job-changed', job });
    return good(job);
  };
  return {
    'job.list': () => good([...jobs.values()]),
    'job.start': (order) => {
      const job = sampleJob(
        {
          id: `job-new-${jobs.size}`,
          machineId: order.machineId,
          name: order.name,
          commandLine: order.commandLine,
          setUp: order.setUp ?? '',
          cwd: order.cwd ?? null,
          state: { kind: 'starting' },
          lastOutputAt: null,
          logBytes: 0,
        },
        0,
      );
      jobs.set(job.id, job);
      return good(job);
    },
    'job.stop': ({ jobId }) => {
      const endedAt = new Date().toISOString();
      return change(jobId, { state: { kind: 'exited', code: 143, endedAt }, endedAt }, 'stopping');
    },
    'job.retry': ({ jobId }) => change(jobId, { state: { kind: 'starting' }, endedAt: null }, 'starting'),
    'job.remove': ({ jobId }) => {
      jobs.delete(jobId);
      emit({ kind: 'job-removed', jobId });
      return good(null);
    },
    'job.provenance': ({ jobId }) =>
      good(options.unrecorded?.includes(jobId) ? null : sampleProvenance(jobId)),
    'job.usage': (request) => good(sampleUsage(options.jobs?.length !== 0, request)),
    'job.gpus': ({ jobId }) =>
      good(jobs.get(jobId)?.gpuIds.length === 2 ? sampleGpuCurves(3.8) : { fromMs: null, gpus: [] }),
    'job.readLog': ({ jobId, log, offset, maxBytes }) => {
      const piece = readSampleLog(logOf(jobId, log ?? 'output'), offset, maxBytes);
      if (!piece.ok || jobId !== 'job-unknown') return piece;
      const copiedAt = new Date(Date.now() - 43 * MINUTE).toISOString();
      const copy = { at: copiedAt, hasEnd: false, why: '"Basement" does not answer: no route to host.' };
      return good({ ...piece.value, copy });
    },
    'job.searchLog': ({ jobId, log, text, offset, limit }) =>
      searchSampleLog(logOf(jobId, log ?? 'output'), text, offset ?? 0, limit ?? 200),
    'job.findLine': ({ jobId, log, line }) => {
      const file = logOf(jobId, log ?? 'output');
      const text = file.slice(0, Math.min(file.size(), 4_000_000));
      let offset = 0;
      for (let at = 1; at < line && offset < text.length; at++) {
        const end = text.indexOf('\n', offset);
        offset = end === -1 ? text.length : end + 1;
      }
      return good({ offset, isThere: offset < text.length });
    },
    'job.chooseLogFile': ({ jobId, log }) =>
      good({ path: `/home/lab/${jobId}.log`, bytes: logOf(jobId, log ?? 'output').size() }),
    'server.readLog': ({ serverId, offset, maxBytes }) =>
      readSampleLog(logOf(serverId, 'output'), offset, maxBytes),
    'server.launch': ({ launchId }) =>
      launches.has(launchId) ? good({ serverIds: ['server-boba'] }) : missing(`launch ${launchId}`),
    'server.install': ({ machineId, withModel }) => {
      const id = 'smollm2-135m';
      const model = {
        weights: '/data/models/smollm2.gguf',
        model: id,
        name: 'SmolLM2-135M-Instruct',
        gpus: 0,
      };
      if (withModel)
        launches.set(id, serverLaunchSchema.parse({ id, engine: 'llama-cpp', machineId, ...model }));
      return good({ program: '/data/llama-server', launchId: withModel ? id : null, job: null });
    },
    'server.restart': () => good(null),
    'server.remove': () => good(null),
    'server.plan': (launch) => {
      const { engine, weights, model, gpus, gpuIds } = launch;
      const needs = /32b/i.test(weights) ? 61.4 : /14b/i.test(weights) ? 27.6 : 15.3;
      const each = needs / Math.max(1, gpus ?? 1);
      const cache = 79.6 * (launch.memoryShare ?? 0.9) - each - 2;
      return good({
        commandLine:
          launch.commandLine ??
          `${engine === 'vllm' ? 'vllm serve' : `python -m ${engine}`} ${weights} \\\n  --served-model-name ${model} \\\n  --port {port} --tensor-parallel-size ${gpus ?? 1} \\\n  --gpu-memory-utilization ${launch.memoryShare ?? 0.9}${launch.extraArguments ? ` \\\n  ${launch.extraArguments}` : ''}`,
        gpuIds: gpuIds ?? [gpu(3).id, gpu(5).id].slice(0, gpus ?? 1),
        fit: {
          verdict: cache > 12 ? 'fits' : cache > 3 ? 'tight' : 'too-big',
          weightsGib: each,
          cacheGib: Math.max(0, cache),
          freeGib: 79.6,
          cacheTokens: Math.max(0, Math.round(cache * 6_900)),
          text: `Weights in bfloat16 over ${gpus ?? 1} GPU, 90 % of 79.6 GiB, 2 GiB for the engine itself.`,
        },
        problems:
          engine === 'sglang' || engine === 'llama-cpp'
            ? [`There is no ${engine} on the PATH of gpu1: choose its environment.`]
            : [],
        install: engine === 'llama-cpp' ? 'server' : null,
      });
    },
    'server.speedTest': ({ concurrencies }) =>
      good(
        concurrencies.map((concurrency) => ({
          concurrency,
          requests: concurrency * 2,
          failures: 0,
          failureReason: null,
          tokensPerSecond: 82 * concurrency ** 0.82,
          firstTokenMs: { median: 41 + concurrency * 3.4, p95: 66 + concurrency * 9.1 },
        })),
      ),
    'launch.list': () => good([...launches.values()]),
    'launch.save': (payload) => {
      const launch = serverLaunchSchema.parse(payload);
      launches.set(launch.id, launch);
      return good(launch);
    },
    'launch.remove': ({ launchId }) => {
      launches.delete(launchId);
      return good(null);
    },
    'secret.list': () => good(secrets),
    'secret.save': ({ name }) => {
      secrets = { ...secrets, names: [...new Set([...secrets.names, name])].sort() };
      return good(null);
    },
    'secret.remove': ({ name }) => {
      secrets = { ...secrets, names: secrets.names.filter((one) => one !== name) };
      return good(null);
    },
  };
}
