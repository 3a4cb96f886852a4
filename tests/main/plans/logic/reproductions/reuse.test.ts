import { describe, expect, test } from 'vitest';
import type { PlannedReproduction } from '../../../../../main/plans/logic/reproductions/plan';
import type { KnownBenchmark, KnownRun } from '../../../../../main/plans/logic/reproductions/plan-inputs';
import { searchTeam, serverSpec } from '../../../../../main/plans/logic/reproductions/team';
import type { RunConfig, TrainingRequest, TrainingView } from '../../../../../preload/contract';
import {
  builtInExhibit,
  gpuMachine,
  knownBenchmark,
  LOCATIONS,
  liveCodeBench,
  planOf,
} from '../../../../support/plan-inputs';

const EXHIBIT = builtInExhibit('homogeneous');
const POCKET: KnownBenchmark = knownBenchmark(100, { id: 'pocket-test-1-100' });

function trained({ spec, machineId }: TrainingRequest, change: Partial<TrainingView> = {}): TrainingView {
  return {
    id: 't-1',
    name: 'Earlier training',
    machineId,
    jobId: null,
    spec,
    scale: 'pocket',
    title: '',
    agents: [],
    state: { kind: 'exited', code: 0, endedAt: '2026-11-20T10:00:00Z' },
    stage: null,
    createdAt: '2026-11-20T09:00:00Z',
    startedAt: null,
    endedAt: null,
    step: 0,
    steps: null,
    secondsLeft: null,
    latest: [],
    alarms: [],
    experimentId: null,
    ...change,
  };
}

/** One row that learns, and what it is compared with. */
const CHOSEN = {
  seeds: [11],
  only: EXHIBIT.cells
    .filter(({ configuration }) => ['qwen3-8b-grpo', 'qwen3-8b-base'].includes(configuration))
    .map(({ row, column }) => `${row}.${column}`),
};

/** The runs that the plan's searches would have made, all done. */
function runsOf({ work }: PlannedReproduction, change: Partial<RunConfig> = {}): KnownRun[] {
  return [...work.values()].flatMap((one): KnownRun[] => {
    if (one.kind !== 'search' || one.problems.kind !== 'pocket') return [];
    const specs = new Map(
      one.servers.map((server) => [
        server.id,
        serverSpec(
          server,
          server.weights.kind === 'base' ? null : { trainingId: 't-1', id: 'reader-000300', path: '' },
        ),
      ]),
    );
    const config: RunConfig = {
      id: `run-${one.configurationId}`,
      configuration: 'another label',
      team: searchTeam(one, specs),
      benchmarkId: POCKET.benchmark.id,
      benchmarkDigest: POCKET.benchmark.digest,
      problemIds: POCKET.problems.slice(0, one.problems.first).map(({ id }) => id),
      search: one.search,
      seed: one.seed,
      scale: 'pocket',
      ...change,
    };
    return [{ studyId: 'study-1', config, finished: true }];
  });
}

function firstTraining({ work }: PlannedReproduction): TrainingRequest {
  for (const one of work.values()) if (one.kind === 'train') return one.order;
  throw new Error('There is no training');
}

const fresh = planOf(EXHIBIT, 'pocket', { order: CHOSEN });

function replanned(inputs: Parameters<typeof planOf>[2]): PlannedReproduction {
  return planOf(EXHIBIT, 'pocket', { order: CHOSEN, ...inputs });
}

function stepOf({ plan }: PlannedReproduction, id: string) {
  return plan.steps.find((step) => step.id === id);
}

describe('a training that is done', () => {
  test('is not run again, and the plan says in a line why', () => {
    const planned = replanned({ inputs: { trainings: [trained(firstTraining(fresh))] } });
    expect(stepOf(planned, 'train:grpo:qwen3-8b:11')?.reuse).toBe(
      'The training "Earlier training" of 2026-11-20 is the same: method, models, seed and sizes.',
    );
    const server = planned.work.get('serve:reader-grpo-11');
    expect(server?.kind === 'serve' && server.server.weights).toEqual({
      kind: 'known',
      stepId: 'train:grpo:qwen3-8b:11',
      trainingId: 't-1',
      agentId: 'reader',
    });
  });

  test('counts with any evaluation set and any checkpoint interval', () => {
    const request = firstTraining(fresh);
    if (request.spec.kind !== 'pocket') throw new Error('No pocket training');
    const evaluation = { ...request.spec.evaluation, problems: 50, every: 10 };
    const other = { ...request, spec: { ...request.spec, evaluation, checkpointEvery: 7 } };
    const planned = replanned({ inputs: { trainings: [trained(other)] } });
    expect(stepOf(planned, 'train:grpo:qwen3-8b:11')?.reuse).not.toBeNull();
  });

  test.each<[string, (request: TrainingRequest) => TrainingView]>([
    ['failed', (request) => trained(request, { state: { kind: 'exited', code: 1, endedAt: '' } })],
    ['runs still', (request) => trained(request, { state: { kind: 'running', pid: 1 } })],
    ['has another seed', ({ spec, ...order }) => trained({ ...order, spec: { ...spec, seed: 12 } as never })],
    [
      'learns at another rate',
      ({ spec, ...order }) => trained({ ...order, spec: { ...spec, rate: 0.1 } as never }),
    ],
  ])('is not reused where it %s', (_why, other) => {
    const planned = replanned({ inputs: { trainings: [other(firstTraining(fresh))] } });
    expect(stepOf(planned, 'train:grpo:qwen3-8b:11')?.reuse).toBeNull();
  });

  test('the newest of several is taken', () => {
    const request = firstTraining(fresh);
    const older = trained(request, { id: 'old', createdAt: '2026-11-19T09:00:00Z' });
    const planned = replanned({ inputs: { trainings: [trained(request), older] } });
    const work = planned.work.get('train:grpo:qwen3-8b:11');
    expect(work?.kind === 'train' && work.trainingId).toBe('t-1');
  });

  test('a curve needs the same evaluation on the way as well', () => {
    const exhibit = builtInExhibit('learning-curves');
    const order = { only: ['qwen3-8b-grpo'] };
    const planned = planOf(exhibit, 'pocket', { order });
    const training = firstTraining(planned);
    if (training.spec.kind !== 'pocket') throw new Error('No pocket training');
    const again = (view: TrainingView) =>
      stepOf(planOf(exhibit, 'pocket', { order, inputs: { trainings: [view] } }), 'train:grpo:qwen3-8b:11')
        ?.reuse;
    expect(again(trained(training))).not.toBeNull();
    const evaluation = { ...training.spec.evaluation, every: 0 };
    expect(again(trained({ ...training, spec: { ...training.spec, evaluation } }))).toBeNull();
  });

  test('of MARTI may have been on other GPUs and written elsewhere', () => {
    const machines = [gpuMachine('gpu-a', 8, 81_559), gpuMachine('gpu-b', 4, 143_771)];
    const inputs = { machines, benchmarks: [liveCodeBench()] };
    const order = { ...CHOSEN, paper: LOCATIONS };
    const training = firstTraining(planOf(EXHIBIT, 'paper', { order, inputs }));
    if (training.spec.kind !== 'marti') throw new Error('No training of MARTI');
    const flags = { ...training.spec.flags, actor_num_gpus_per_node: 2, save_steps: 5 };
    const spec = { ...training.spec, flags, output: '/elsewhere', checkout: '/home/marti' };
    const view = trained({ ...training, machineId: 'gpu-b', spec });
    const planned = planOf(EXHIBIT, 'paper', { order, inputs: { ...inputs, trainings: [view] } });
    expect(stepOf(planned, 'train:grpo:qwen3-8b:11')?.reuse).not.toBeNull();
    // Its checkpoint is where it was trained.
    expect(stepOf(planned, 'serve:qwen3-8b-grpo-11')?.machineId).toBe('gpu-b');
  });
});

describe('a run that is done', () => {
  const inputs = { benchmarks: [POCKET], trainings: [trained(firstTraining(fresh))] };

  test('is not searched again, nor is anything served for it', () => {
    const planned = replanned({ inputs: { ...inputs, runs: runsOf(fresh) } });
    const kinds = planned.plan.steps.filter(({ reuse }) => reuse !== null).map(({ kind }) => kind);
    expect(kinds).toEqual(['train', 'search', 'grade', 'search', 'grade']);
    expect(planned.plan.modelLoads).toBe(0);
    expect(planned.plan.estimate).toEqual({ seconds: 0, gpuSeconds: 0, tokens: 0 });
    const work = planned.work.get('search:qwen3-8b-grpo:11');
    expect(work?.kind === 'search' && work.run).toEqual({ studyId: 'study-1', runId: 'run-qwen3-8b-grpo' });
  });

  test('of weights that are still to be trained cannot exist', () => {
    const planned = replanned({ inputs: { benchmarks: [POCKET], runs: runsOf(fresh) } });
    expect(stepOf(planned, 'search:qwen3-8b-grpo:11')?.reuse).toBeNull();
    expect(stepOf(planned, 'search:qwen3-8b-base:11')?.reuse).not.toBeNull();
  });

  test.each<[string, Partial<RunConfig>]>([
    ['other problems', { problemIds: ['benchmark/1'] }],
    ['a benchmark that has changed', { benchmarkDigest: 'another' }],
    ['another seed', { seed: 12 }],
  ])('of %s is not reused', (_what, change) => {
    const planned = replanned({ inputs: { ...inputs, runs: runsOf(fresh, change) } });
    expect(stepOf(planned, 'search:qwen3-8b-base:11')?.reuse).toBeNull();
  });

  test('that is not finished is not reused, nor one of another search', () => {
    const runs = runsOf(fresh);
    const unfinished = runs.map((run) => ({ ...run, finished: false }));
    const smaller = runs.map(({ config, ...run }) => ({
      ...run,
      config: { ...config, search: { ...config.search, nodes: 3 } },
    }));
    const planned = replanned({ inputs: { ...inputs, runs: [...unfinished, ...smaller] } });
    expect(planned.plan.steps.filter(({ kind, reuse }) => kind === 'search' && reuse !== null)).toEqual([]);
  });
});
