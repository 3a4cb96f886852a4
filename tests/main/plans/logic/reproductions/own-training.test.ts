import { describe, expect, test } from 'vitest';
import { sameTraining } from '../../../../../main/plans/logic/reproductions/reuse';
import { prepareModel } from '../../../../../main/trainings/logic/prepare-model';
import { type ModelTraining, paperSettingsSchema } from '../../../../../preload/contract';
import { builtInExhibit, gpuMachine, LAB, planOf, workOf } from '../../../../support/plan-inputs';
import { sampleModelTraining } from '../../../../support/sample-trainings';

const PLACES = paperSettingsSchema.parse({
  trainingBenchmark: 'livecodebench-v6',
  environment: { kind: 'venv', place: '/opt/vllm/' },
});
const planned = (id: string, paper = PLACES) =>
  planOf(builtInExhibit(id), 'paper', { order: { paper }, inputs: LAB });
const CONTROLS = ['grpo-all-wrong', 'mixed-groups'] as const;
const specsOf = (id: string): ModelTraining[] =>
  workOf(planned(id), 'train').flatMap(({ order }) => (order.spec.kind === 'model' ? [order.spec] : []));

describe('trainings of our own at paper scale', () => {
  test.each(['homogeneous', 'heterogeneous-pass1', 'mars2-models', 'learning-curves'])(
    'of %s are planned for every method, and nothing speaks against their start',
    (id) => {
      const exhibit = builtInExhibit(id);
      const works = workOf(planned(id), 'train');
      const methods = new Set(exhibit.configurations.map(({ method }) => method));
      methods.delete('base');
      // Controls of ours are trained only where they are chosen; all lines of learning curves are ours.
      if (exhibit.cells.length > 0) for (const control of CONTROLS) methods.delete(control);
      expect(new Set(works.map(({ order: { spec } }) => spec.kind === 'model' && spec.method))).toEqual(
        methods,
      );
      for (const { order } of works) {
        if (order.spec.kind !== 'model') throw new Error('No training of ours');
        const program = { id: 'x', script: '', files: [] } as never;
        const prepared = prepareModel(order, order.spec, program, []);
        expect(prepared.problems).toEqual([]);
        expect(prepared.gpus).toBe(order.resources.gpus);
      }
    },
  );

  test('train all weights as the papers do, with as many samples for every method', () => {
    for (const spec of specsOf('mars2-systems')) {
      expect(spec).toMatchObject({
        ...{ lora: null, dtype: 'bfloat16', rate: 1e-6, batch: 32, updates: 300, nodes: 8 },
        writer: { engine: 'vllm', publish: 'reload', python: '/opt/vllm/bin/python' },
        objective: { ratio: 'sequence', kl: { coefficient: 0.001 } },
        evaluation: { problems: 0 },
      });
      expect(spec.agents.every(({ model }) => model.includes('/'))).toBe(true);
    }
  });

  test('are evaluated on the way where their curve is asked for', () => {
    for (const { evaluation } of specsOf('learning-curves')) {
      expect(evaluation).toMatchObject({ every: 30, problems: 100, samples: 4 });
    }
  });

  test('leave room for the engine beside the learner', () => {
    const machines = [gpuMachine('gpu-a', 4, 98_304)];
    const plan = (trainer: 'own' | 'marti') =>
      workOf(
        planOf(builtInExhibit('heterogeneous-pass1'), 'paper', {
          order: { paper: { ...PLACES, trainer, martiCheckout: '/opt/marti' } },
          inputs: { ...LAB, machines },
        }),
        'train',
      ).filter(({ order }) => order.machineId === 'gpu-a');
    // Two 8B models: 2 GPUs each hold what MARTI keeps, but not that and vLLM's share.
    expect(plan('marti').some(({ models }) => models.length === 2)).toBe(true);
    expect(plan('own').some(({ models }) => models.length === 2)).toBe(false);
  });

  test('cannot begin without a benchmark of the library', () => {
    const missing = (trainingBenchmark: string | null) =>
      planned('homogeneous', { ...PLACES, trainingBenchmark }).plan.missing.map(({ what }) => what);
    expect(missing(null)).toContain('The benchmark to train on is not set.');
    expect(missing('deepcoder')).toContain('The library has no benchmark "deepcoder" to train on.');
    expect(missing('livecodebench-v6').filter((what) => what.includes('train on'))).toEqual([]);
  });

  test('count as done where only their place differs', () => {
    const [spec] = specsOf('homogeneous');
    if (spec === undefined) throw new Error('No training');
    const done = (change: Partial<ModelTraining>) => [
      {
        ...sampleModelTraining(),
        spec: { ...spec, ...change },
        state: { kind: 'exited' as const, code: 0, endedAt: '' },
      },
    ];
    const reused = (change: Partial<ModelTraining>) => sameTraining(spec, false, done(change), () => true);
    expect(reused({ processes: 1, python: '/other/python', checkpointEvery: 7 })).not.toBeNull();
    expect(reused({ rate: 2e-6 })).toBeNull();
  });
});
