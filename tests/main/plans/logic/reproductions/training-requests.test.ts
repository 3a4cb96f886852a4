import { describe, expect, test } from 'vitest';
import type { TrainWork } from '../../../../../main/plans/logic/reproductions/work';
import { prepareMarti } from '../../../../../main/trainings/logic/marti/marti-set-up';
import { paperSettingsSchema, pocketTrainingSchema } from '../../../../../preload/contract';
import {
  builtInExhibit,
  clusterOf,
  gpuMachine,
  LOCATIONS,
  planOf,
  slurmMachine,
} from '../../../../support/plan-inputs';

const PAPER = { ...LOCATIONS, weights: { 'qwen3-8b': '/models/Qwen3-8B' } };

function trainingsOf(
  id: string,
  scale: 'pocket' | 'paper',
  parts: Parameters<typeof planOf>[2],
): TrainWork[] {
  const { work } = planOf(builtInExhibit(id), scale, parts);
  return [...work.values()].filter((one) => one.kind === 'train');
}

describe('trainings of MARTI', () => {
  const machines = [gpuMachine('gpu-a', 8, 143_771), gpuMachine('gpu-b', 4, 143_771)];

  test.each(['homogeneous', 'heterogeneous-pass1', 'mars2-models', 'mars2-systems', 'learning-curves'])(
    'of %s pass the checks that MARTI makes before a start, on large and small boxes',
    (id) => {
      for (const machine of machines) {
        const works = trainingsOf(id, 'paper', { order: { paper: PAPER }, inputs: { machines: [machine] } });
        expect(works.length).toBeGreaterThan(0);
        for (const { order } of works) {
          if (order.spec.kind !== 'marti') throw new Error('No training of MARTI');
          if (order.machineId === 'none') continue;
          const prepared = prepareMarti(order, order.spec, { id: 'x', preflight: '' });
          expect(prepared.problems).toEqual([]);
          expect(prepared.gpus).toBeLessThanOrEqual(machine.gpus?.gpus.length ?? 0);
        }
      }
    },
  );

  test('begin with the weights that the lab names, write each into its own folder, and know their seed', () => {
    const works = trainingsOf('learning-curves', 'paper', {
      order: { paper: PAPER, seeds: [11, 12] },
      inputs: { machines },
    });
    const specs = works.map(({ order }) => order.spec).filter((spec) => spec.kind === 'marti');
    expect(new Set(specs.map(({ output }) => output)).size).toBe(works.length);
    const [first] = specs;
    expect(first).toMatchObject({
      preset: 'grpo',
      agents: [{ model: '/models/Qwen3-8B' }],
      output: '/scratch/runs/grpo-qwen3-8b-11',
      flags: { seed: 11 },
    });
    const shared = specs.find(({ preset }) => preset === 'shared');
    expect(shared?.agents.map(({ role }) => role)).toEqual(['solver', 'refiner']);
    const multi = specs.find(({ preset }) => preset === 'multi');
    expect(multi?.agents.map(({ model }) => model)).toEqual([
      '/models/Qwen3-8B',
      'inclusionAI/AReaL-boba-2-8B',
    ]);
  });

  test('that ask one cluster for the same go there as one array, others by themselves', () => {
    const inputs = {
      machines: [slurmMachine('slurm')],
      clusters: new Map([['slurm', clusterOf('h200', 4)]]),
    };
    const parts = { order: { paper: PAPER, seeds: [11, 12] }, inputs };
    const notesOf = (change: Parameters<typeof planOf>[2]) =>
      planOf(builtInExhibit('learning-curves'), 'paper', change).plan.notes.join(' ');
    expect(notesOf(parts)).toContain('10 trainings go to Slurm together, as one job array.');
    const one = { paper: PAPER, seeds: [11], only: ['qwen3-8b-grpo'] };
    expect(notesOf({ order: one, inputs })).not.toContain('array');
    expect(notesOf({ order: { paper: PAPER }, inputs: { machines } })).not.toContain('array');
  });

  test('of models that no machine can hold are reported, with the advice to use checkpoints', () => {
    const { plan } = planOf(builtInExhibit('t-plus-ablation'), 'paper', {
      order: { paper: PAPER },
      inputs: { machines: [gpuMachine('gpu-a', 8, 81_559)] },
    });
    const training = plan.missing.find(({ what }) => what.startsWith('No machine can train'));
    expect(training?.what).toContain('a training takes 16 GPUs of 141 GiB in one machine');
    expect(training?.todo).toContain('name existing checkpoints');
    const train = plan.steps.find(({ kind }) => kind === 'train');
    expect(train?.detail).toMatch(/, at least 16 GPUs of 141 GiB$/);
  });

  test('name the field of what is not set, and speak of no terminal', () => {
    const missingOf = (trainer: 'own' | 'marti') =>
      planOf(builtInExhibit('homogeneous'), 'paper', {
        order: { paper: paperSettingsSchema.parse({ trainer }) },
      }).plan.missing;
    const fieldsOf = (trainer: 'own' | 'marti') => missingOf(trainer).map(({ field }) => field);
    expect(fieldsOf('own')).toContain('trainingBenchmark');
    expect(fieldsOf('marti')).toEqual(
      expect.arrayContaining(['martiCheckout', 'trainingData', 'trainingOutput']),
    );
    const texts = [...missingOf('own'), ...missingOf('marti')].map(({ what, todo }) => `${what} ${todo}`);
    expect(texts.join('\n')).not.toMatch(/--|terminal|"checkpoints"/);
  });

  test('name the models of weights and checkpoints that the exhibit does not have', () => {
    const path = '/models/x';
    const notesOf = (places: object) =>
      planOf(builtInExhibit('homogeneous'), 'paper', { order: { paper: paperSettingsSchema.parse(places) } })
        .plan.notes;
    const checkpoint = { modelId: 'qwen3-8b', method: 'grpo', trainedWith: ['qwen3'], path };
    expect(notesOf({ weights: { 'Qwen3-8B': path, 'areal-8b': path }, checkpoints: [checkpoint] })).toContain(
      'Not used: "weights" or "checkpoints" of "Qwen3-8B", "qwen3", which this exhibit does not have. Its models are qwen3-8b, areal-8b, qwen3-14b, areal-14b, deepcoder-14b.',
    );
    expect(notesOf({ weights: { 'qwen3-8b': path } }).join('\n')).not.toContain('Not used');
  });
});

describe('pocket trainings', () => {
  test('are what the pocket trainer takes, with one checkpoint at the end', () => {
    for (const { order, models } of trainingsOf('mars2-systems', 'pocket', {})) {
      const spec = pocketTrainingSchema.parse(order.spec);
      expect(spec.families).toHaveLength(models.length);
      expect(spec.checkpointEvery).toBe(spec.updates);
      expect(order.machineId).toBe('local');
    }
  });

  test('are on this computer alone, and reported where it may not be used', () => {
    const { plan } = planOf(builtInExhibit('homogeneous'), 'pocket', {
      order: { machineIds: ['gpu-a'] },
      inputs: { machines: [gpuMachine('gpu-a', 8, 81_559)] },
    });
    expect(plan.missing).toEqual([
      {
        what: 'The pocket trainings of an exhibit run on this computer, which is not among the chosen machines.',
        todo: 'Choose this computer as well.',
        address: null,
      },
    ]);
  });
});
