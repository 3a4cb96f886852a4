import { randomUUID } from 'node:crypto';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ok } from '../../main/base';
import { type BenchmarkLibrary, createBenchmarkLibrary } from '../../main/benchmarks';
import { hasEnded, type JobService } from '../../main/jobs';
import type { Machine } from '../../main/machines';
import { createLocalMachine } from '../../main/machines';
import { createTrainingService, type TrainingService } from '../../main/trainings';
import { MARTI_PACKAGES, MARTI_TREE_PACKAGES } from '../../main/trainings/logic/marti/marti-set-up';
import type { TrainingRequest, TrainingView } from '../../preload/contract';
import { trainingRequestSchema } from '../../preload/contract';
import { eventually } from './eventually';
import { type JobBenchOptions, openJobsIn } from './job-bench';
import { sampleGpu } from './sample-gpus';
import { makeTemporaryFolder } from './temporary-folder';
import { throwProblem } from './throw-problem';

const GPUS = Array.from({ length: 8 }, (_, at) => sampleGpu(at));

/** A stand-in for the pocket trainer: as long as it lives it counts in state.json, up to STAND_IN_UPDATES. */
const STAND_IN_TRAINER = resolve('tests/support/pocket-trainer-stand-in.mjs');

export type TrainingBenchOptions = JobBenchOptions & {
  /** Instead of the stand-in. */
  readonly trainerScript?: string;
};

export type TrainingBench = {
  readonly folder: string;
  readonly jobs: JobService;
  readonly trainings: TrainingService;
  /** That language models train on. */
  readonly benchmarks: BenchmarkLibrary;
  /** Waits until the training's job has ended, and gives its view. */
  readonly ended: (id: string) => Promise<TrainingView>;
  /** Waits for a view that is as wanted. */
  readonly until: (id: string, condition: (view: TrainingView) => boolean) => Promise<TrainingView>;
  /** Services as after a restart of the app, with what happens in between; what runs goes on. */
  readonly restarted: (meanwhile?: () => Promise<void>, change?: JobBenchOptions) => Promise<TrainingBench>;
  readonly dispose: () => Promise<void>;
};

/** Real jobs of this computer (or of the machine given), and trainings over them, in a temporary folder. */
export async function openTrainingBench(options: TrainingBenchOptions = {}): Promise<TrainingBench> {
  const { path: folder, dispose } = await makeTemporaryFolder();
  return openIn(folder, options, dispose);
}

async function openIn(
  folder: string,
  options: TrainingBenchOptions,
  removeFolder: () => Promise<void>,
): Promise<TrainingBench> {
  const machine: Machine = options.machine?.(folder) ?? createLocalMachine(folder);
  const gpus = options.gpus ?? (async () => ok({ gpus: GPUS, reservations: [], user: 'me' }));
  const jobs = await openJobsIn(folder, { ...options, machine: () => machine, gpus });
  const benchmarks = createBenchmarkLibrary({ dataDir: folder, clock: () => Date.now() });
  const trainings = await createTrainingService({
    jobs,
    machines: {
      get: (id) =>
        id === machine.id
          ? ok(machine)
          : { ok: false, error: { code: 'not-found', message: `There is no machine "${id}".` } },
    },
    gpus,
    dataDir: folder,
    clock: { now: () => Date.now() },
    newId: () => randomUUID(),
    nodeRuntime: { command: process.execPath, env: {} },
    pocketTrainerScript: options.trainerScript ?? STAND_IN_TRAINER,
    benchmarks,
    resourcesDir: resolve('resources'),
    checkpointsDir: join(folder, 'checkpoints'),
    onError: options.onError ?? throwProblem,
  });
  const viewOf = (id: string): TrainingView => {
    const view = trainings.view(id);
    if (!view.ok) throw new Error(view.error.message);
    return view.value;
  };
  const until: TrainingBench['until'] = async (id, condition) => {
    return eventually(`the training ${id}`, () => {
      const view = viewOf(id);
      return condition(view) ? view : null;
    });
  };
  return {
    folder,
    jobs,
    trainings,
    benchmarks,
    until,
    // Looks itself: the jobs look every few seconds.
    ended: (id) =>
      eventually(`the end of the training ${id}`, async () => {
        await jobs.inspect(viewOf(id).jobId ?? '');
        const view = viewOf(id);
        return hasEnded(view.state) ? view : null;
      }),
    restarted: async (meanwhile, change) => {
      await trainings.dispose();
      await jobs.dispose();
      await meanwhile?.();
      return openIn(folder, { ...options, ...change }, removeFolder);
    },
    dispose: async () => {
      await trainings.dispose();
      for (const { id, view } of jobs.list()) if (!hasEnded(view.state)) await jobs.stop(id, 0);
      await jobs.dispose();
      await removeFolder();
    },
  };
}

/** What a stand-in MARTI needs around it, in `folder`: checkout, data, a model, packages that only have names. */
export async function standInMarti(folder: string): Promise<{
  readonly checkout: string;
  readonly data: string;
  readonly model: string;
  readonly output: string;
  readonly packages: string;
}> {
  const pathOf = (name: string) => join(folder, name);
  await cp(resolve('tests/support/marti/checkout'), pathOf('MARTI'), { recursive: true });
  await cp(resolve('tests/support/marti/packages'), pathOf('packages'), { recursive: true });
  for (const name of [...MARTI_PACKAGES, ...MARTI_TREE_PACKAGES].filter((one) => one !== 'ray')) {
    await mkdir(join(pathOf('packages'), name), { recursive: true });
    await writeFile(join(pathOf('packages'), name, '__init__.py'), '');
  }
  await mkdir(pathOf('data'));
  const tests = { inputs: ['1\n'], outputs: ['1\n'] };
  const row = {
    prompt: 'Print the number.',
    label: JSON.stringify(tests),
    extra_info: { public_test_cases: tests, private_test_cases: tests },
  };
  for (const split of ['train', 'test']) {
    await writeFile(join(pathOf('data'), `${split}.jsonl`), `${JSON.stringify(row)}\n`);
  }
  await mkdir(pathOf('model'));
  await writeFile(join(pathOf('model'), 'model.safetensors'), 'weights');
  return {
    checkout: pathOf('MARTI'),
    data: pathOf('data'),
    model: pathOf('model'),
    output: pathOf('output of it'),
    packages: pathOf('packages'),
  };
}

/** An order for the stand-in: two agents with one GPU each, checkpoints every second step. */
export function martiRequest(
  marti: Awaited<ReturnType<typeof standInMarti>>,
  change: {
    readonly spec?: Record<string, unknown>;
    readonly flags?: Record<string, unknown>;
    readonly env?: Record<string, string>;
    readonly machineId?: string;
    readonly setUp?: string;
  } = {},
): TrainingRequest {
  return trainingRequestSchema.parse({
    name: 'Two readers',
    machineId: change.machineId ?? 'local',
    spec: {
      kind: 'marti',
      preset: 'multi',
      checkout: marti.checkout,
      agents: [{ model: marti.model }, { model: `${marti.model}/`, isReasoning: true }],
      data: marti.data,
      output: marti.output,
      flags: {
        actor_num_gpus_per_node: 1,
        ref_num_gpus_per_node: 1,
        vllm_num_engines: 1,
        save_steps: 2,
        ...change.flags,
      },
      ...change.spec,
    },
    setUp: change.setUp ?? '',
    env: {
      PYTHONPATH: marti.packages,
      PYTHONDONTWRITEBYTECODE: '1',
      STAND_IN_ARGUMENTS: join(marti.output, 'arguments.json'),
      ...change.env,
    },
  });
}
