import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  builtInExhibit,
  clusterOf,
  countOf,
  gpuMachine,
  LAB,
  LOCATIONS,
  liveCodeBench,
  planOf,
  slurmMachine,
  twoModels,
  workOf,
} from '../../../../support/plan-inputs';
import { THIS_COMPUTER } from '../../../../support/sample-machines';

const EXHIBITS = readdirSync('resources/exhibits').map((name) => name.replace(/\.json$/, ''));

describe('a paper-scale plan', () => {
  test.each(EXHIBITS)('of %s without GPUs is whole and says what is missing and what to do', (id) => {
    const { plan } = planOf(builtInExhibit(id), 'paper');
    expect(countOf(plan, 'cell')).toBeGreaterThan(0);
    for (const step of plan.steps) {
      if (step.kind === 'train' || step.kind === 'serve') {
        expect(step.machineId).toBeNull();
        expect(step.missing.length).toBeGreaterThan(0);
      }
    }
    const missing = plan.missing.map(({ what }) => what);
    expect(new Set(missing).size).toBe(missing.length);
    for (const { what, todo } of plan.missing) {
      expect(what).toMatch(/\.$/);
      expect(todo).toMatch(/\.$/);
    }
    expect(missing.some((what) => what.startsWith('No machine can train '))).toBe(true);
    if (countOf(plan, 'search') > 0) {
      expect(missing).toContain('LiveCodeBench v6 with its 175 problems is not in the library.');
      expect(missing.some((what) => what.startsWith('No machine has GPUs for a server of '))).toBe(true);
    }
  });

  test('without GPUs the plan says what the smallest machine would be', () => {
    const { plan } = planOf(builtInExhibit('mars2-systems'), 'paper', {
      order: { paper: LOCATIONS },
    });
    expect(plan.notes).toContain(
      "The smallest sufficient machine has 12 GPUs of 80 GiB for the largest training and 3 GPUs of 80 GiB for the largest team's servers; everything then runs one after the other.",
    );
  });

  test.each(EXHIBITS)('of %s has five seeds, and says what one would take', (id) => {
    const planned = (seeds?: number[]) =>
      planOf(builtInExhibit(id), 'paper', {
        order: seeds === undefined ? {} : { seeds },
        inputs: { ...LAB, programCost: () => ({ seconds: 1, tokens: 1 }), trainingSeconds: () => 36_000 },
      }).plan;
    const [all, one] = [planned(), planned([11])];
    expect(new Set(all.steps.map(({ seed }) => seed))).toEqual(new Set([null, 11, 12, 13, 14, 15]));
    const [trainings, searches] = [countOf(one, 'train'), countOf(one, 'search')];
    expect(countOf(all, 'train')).toBe(5 * trainings);
    expect(countOf(all, 'search')).toBe(5 * searches);
    const work = `${trainings} trainings?${searches === 0 ? '' : ` and ${searches} searches`}`;
    const gpuHours = ((one.estimate.gpuSeconds ?? 0) / 3_600).toFixed(1);
    expect(all.oneSeed?.note).toMatch(
      new RegExp(
        `^5 seeds. Seed 11 alone takes ${work}, about [\\d.]+ hours, ${gpuHours} GPU-hours, but shows`,
      ),
    );
    expect(one.oneSeed).toBeUndefined();
    const unknown = planOf(builtInExhibit(id), 'paper').plan.oneSeed?.note;
    expect(unknown).toMatch(new RegExp(`alone takes ${work}, but shows nothing of the chance of training.$`));
  });

  test('a silent machine is to be connected before another one is bought', () => {
    const silent = { ...gpuMachine('gpu-a', 0, 1), connection: { kind: 'off' as const }, gpus: null };
    const { plan } = planOf(twoModels(), 'paper', {
      order: { only: ['r.base'] },
      inputs: { machines: [THIS_COMPUTER, silent] },
    });
    const gpus = plan.missing.find(({ what }) => what.startsWith('No machine has GPUs'));
    expect(gpus).toMatchObject({ address: '/machines/gpu-a' });
    expect(gpus?.todo).toContain('Connect gpu-a');
  });

  test('a cluster whose partitions are not known is waited for', () => {
    const { plan } = planOf(twoModels(), 'paper', {
      order: { only: ['r.base'] },
      inputs: { machines: [THIS_COMPUTER, slurmMachine('slurm')] },
    });
    expect(plan.missing[0]).toMatchObject({ address: '/machines/slurm' });
    expect(plan.missing[0]?.todo).toContain('Plan again when slurm answers');
  });

  test('one small GPU holds no model of 8B, and the plan says what one needs', () => {
    const { plan } = planOf(twoModels(), 'paper', {
      order: { only: ['r.base'] },
      inputs: { machines: [gpuMachine('small', 1, 24_564)], benchmarks: [liveCodeBench()] },
    });
    expect(plan.missing).toEqual([
      {
        what: 'No machine has GPUs for a server of A-8B: a server takes 1 GPU of 80 GiB.',
        subject: 'A-8B',
        todo: 'Add a GPU machine or a Slurm cluster.',
        address: '/add-machine',
      },
    ]);
  });

  test('two small GPUs hold it together', () => {
    const { plan, work } = planOf(twoModels(), 'paper', {
      order: { only: ['r.base'] },
      inputs: { machines: [gpuMachine('small', 2, 24_564)], benchmarks: [liveCodeBench()] },
    });
    expect(plan.missing).toEqual([]);
    const serve = work.get('serve:a-base');
    expect(serve?.kind === 'serve' && serve.server.place).toMatchObject({
      kind: 'launch',
      launch: {
        machineId: 'small',
        gpus: 2,
        weights: 'Qwen/Qwen3-8B',
        engine: 'vllm',
        contextTokens: 40_000,
      },
    });
  });

  test('with machines and places enough nothing is missing, and models stand where they were trained', () => {
    const planned = planOf(twoModels(), 'paper', { order: { paper: LOCATIONS }, inputs: LAB });
    expect(planned.plan.missing).toEqual([]);
    const trainedAt = new Map(
      planned.plan.steps.filter(({ kind }) => kind === 'train').map(({ id, machineId }) => [id, machineId]),
    );
    expect(new Set(trainedAt.values())).toEqual(new Set(['gpu-a', 'gpu-b']));
    for (const { server } of workOf(planned, 'serve')) {
      if (server.weights.kind !== 'training' || server.place.kind !== 'launch') continue;
      expect(server.place.launch.machineId).toBe(trainedAt.get(server.weights.stepId));
      expect(server.place.launch.weights).toBe('');
    }
  });

  test('weights that no seed changes are loaded once for all seeds', () => {
    const { plan } = planOf(twoModels(), 'paper', { order: { only: ['r.base'] }, inputs: LAB });
    expect(plan.steps.filter(({ kind }) => kind === 'serve').map(({ id }) => id)).toEqual(['serve:a-base']);
    expect(countOf(plan, 'search')).toBe(2);
  });

  test('named checkpoints stand in for trainings', () => {
    const checkpoints = ['a', 'b'].map((modelId) => ({
      modelId,
      method: 'heter-mars2' as const,
      trainedWith: ['b', 'a'],
      path: `/ckpt/${modelId}`,
    }));
    const planned = planOf(twoModels(), 'paper', {
      order: { only: ['r.team'], paper: { ...LOCATIONS, checkpoints, martiCheckout: null } },
      inputs: LAB,
    });
    expect(countOf(planned.plan, 'train')).toBe(0);
    expect(planned.plan.missing).toEqual([]);
    const weights = workOf(planned, 'serve').map(({ server }) => server.weights);
    expect(weights).toEqual([
      { kind: 'path', path: '/ckpt/a' },
      { kind: 'path', path: '/ckpt/b' },
    ]);
  });

  test('a team of two on one GPU is reported, its members alone run one after the other', () => {
    const checkpoints = ['a', 'b'].map((modelId) => ({
      modelId,
      method: 'heter-mars2' as const,
      trainedWith: ['a', 'b'],
      path: `/ckpt/${modelId}`,
    }));
    const { plan } = planOf(twoModels(), 'paper', {
      order: { only: ['r.base', 'r.team', 'r.half'], seeds: [11], paper: { ...LOCATIONS, checkpoints } },
      inputs: { machines: [gpuMachine('gpu-a', 1, 81_559)], benchmarks: [liveCodeBench()] },
    });
    expect(plan.missing.map(({ what }) => what)).toEqual([
      'Its servers need 2 GPUs of gpu-a at once, but it has 1.',
    ]);
    const batches = plan.steps.filter(({ kind }) => kind === 'search').map(({ id, wave }) => [id, wave]);
    expect(Object.fromEntries(batches)).toMatchObject({ 'search:base:11': 0, 'search:half:11': 1 });
  });

  test('a saved launch of the same weights is used as it is', () => {
    const first = workOf(planOf(twoModels(), 'paper', { inputs: LAB, order: { paper: LOCATIONS } }), 'serve');
    const made = first.map(({ server }) => server.place).find(({ kind }) => kind === 'launch');
    if (made?.kind !== 'launch') throw new Error('There is no launch');
    const saved = { ...made.launch, id: 'mine', name: 'Mine', extraArguments: '--enforce-eager' };
    const planned = planOf(twoModels(), 'paper', {
      order: { only: ['r.base'] },
      inputs: { ...LAB, launches: [saved] },
    });
    expect(workOf(planned, 'serve').map(({ server }) => server.place)).toEqual([
      { kind: 'launch', launch: saved },
    ]);
  });

  test.each([
    [1, 2],
    [4, 1],
  ])('on a Slurm cluster of %i boxes with 8 GPUs 15 models are served in %i waves', (slurmNodes, batches) => {
    const inputs = {
      machines: [THIS_COMPUTER, slurmMachine('slurm')],
      clusters: new Map([['slurm', clusterOf('h100', slurmNodes)]]),
      benchmarks: [liveCodeBench()],
    };
    const { plan } = planOf(builtInExhibit('homogeneous'), 'paper', {
      order: { paper: LOCATIONS, seeds: [11] },
      inputs,
    });
    expect(plan.missing).toEqual([]);
    expect(plan.modelLoads).toBe(15);
    const placed = plan.steps.filter(({ kind }) => kind === 'train' || kind === 'serve');
    expect(new Set(placed.map(({ machineId }) => machineId))).toEqual(new Set(['slurm']));
    const searches = plan.steps.filter(({ kind }) => kind === 'search');
    expect(new Set(searches.map(({ wave }) => wave)).size).toBe(batches);
  });

  test('GPUs that others use now are waited for, and the plan says so', () => {
    const machine = gpuMachine('gpu-a', 8, 81_559);
    const used = { pid: 1, user: 'user2', command: 'python', memoryMib: 60_000, startedAt: null };
    const gpus = machine.gpus?.gpus.map((gpu, at) => (at < 6 ? { ...gpu, processes: [used] } : gpu)) ?? [];
    const busy = { ...machine, gpus: machine.gpus === null ? null : { ...machine.gpus, gpus } };
    const { plan } = planOf(twoModels(), 'paper', {
      order: { paper: LOCATIONS },
      inputs: { machines: [busy], benchmarks: [liveCodeBench()] },
    });
    expect(plan.missing).toEqual([]);
    expect(plan.notes).toContain('6 of 8 GPUs of gpu-a are in use now: it waits for them.');
  });

  test('only chosen machines are planned on', () => {
    const { plan } = planOf(twoModels(), 'paper', {
      order: { paper: LOCATIONS, machineIds: ['gpu-b'] },
      inputs: LAB,
    });
    expect(plan.missing).toEqual([]);
    const machines = new Set(plan.steps.flatMap(({ machineId }) => machineId ?? []));
    expect(machines).toEqual(new Set(['gpu-b']));
  });
});
