import { describe, expect, it } from 'vitest';
import { missingByRemedy } from '../../../preload/contract/plans';
import { canBeMeasured, figuresOf, papersOf } from '../../../renderer/exhibits/exhibit-views';
import { stepTone } from '../../../renderer/exhibits/plan-graph';
import { planCost } from '../../../renderer/exhibits/plan-text';
import { latestProgress } from '../../../renderer/shared/exhibits';
import {
  SAMPLE_EXHIBITS,
  sampleExhibit,
  sampleReproduction,
  sampleSteps,
} from '../../support/sample-exhibits';

describe('the list of exhibits', () => {
  it('stands by paper, nothing lost', () => {
    const papers = papersOf(SAMPLE_EXHIBITS);
    expect(papers.map(({ title }) => title)).toEqual(['MARTI-MARS²', 'MARS²']);
    expect(papers.flatMap(({ entries }) => entries)).toHaveLength(SAMPLE_EXHIBITS.length);
  });

  it('shows the newest reproduction at the scale, in values', () => {
    const old = sampleReproduction({ exhibitId: 'homogeneous', done01: 1, minutesAgo: 500 });
    const now = sampleReproduction({ exhibitId: 'homogeneous', done01: 0.62, minutesAgo: 2 });
    const other = sampleReproduction({ exhibitId: 'diversity', done01: 1, minutesAgo: 1 });
    const standing = latestProgress('homogeneous', 'pocket', [old, now, other]);
    expect(standing?.view.id).toBe(now.id);
    expect(standing?.total).toBe(75);
    expect(standing?.done).toBe(
      now.steps.filter((step) => step.kind === 'cell' && step.state.kind === 'done').length,
    );
    expect(latestProgress('homogeneous', 'paper', [old, now, other])).toBeNull();
  });
});

describe('an exhibit that runs at hand fill', () => {
  it('is no longer measured once no configuration is left to be', () => {
    const exhibit = sampleExhibit('homogeneous');
    const study = { id: 'study-1', configuration: 'single' };
    expect(canBeMeasured(exhibit)).toBe(true);
    const [first, ...others] = exhibit.configurations.map((one) => ({ ...one, study }));
    expect(canBeMeasured({ ...exhibit, configurations: others })).toBe(false);
    const { study: _, ...left } = first as NonNullable<typeof first>;
    expect(canBeMeasured({ ...exhibit, configurations: [left, ...others] })).toBe(true);
  });
});

describe('figures', () => {
  it('have lines of one measure over one axis in one chart', () => {
    expect(figuresOf(sampleExhibit('scaling-law')).map(({ title, over }) => [title, over])).toEqual([
      ['Pass@N', 'nodes per tree'],
      ['Pass@N: controls', 'nodes per tree'],
    ]);
    expect(figuresOf(sampleExhibit('learning-curves')).map(({ title, over }) => [title, over])).toEqual([
      ['Pass@1 during training', 'updates'],
      ['Pass@1 during training: controls', 'updates'],
    ]);
    const [first, ...others] = sampleExhibit('learning-curves').series;
    const moved = { ...first, curve: { ...first?.curve, x: 'samples' } } as typeof first;
    const two = figuresOf({ series: [moved, ...others].flatMap((line) => line ?? []) });
    expect(two[0]?.title).toBe('Pass@1 during training, over samples');
    expect(two[1]?.title).toBe('Pass@1 during training, over updates');
    for (const { series } of figuresOf(sampleExhibit('scaling-law'))) expect(series).toHaveLength(6);
  });
});

describe('the cost of a plan', () => {
  const steps = sampleSteps(sampleExhibit('homogeneous'), 'pocket');
  const trainings = steps.filter(({ kind }) => kind === 'train').length;
  const searches = steps.filter(({ kind }) => kind === 'search').length;
  const plan = {
    order: sampleReproduction({ exhibitId: 'homogeneous', done01: 0 }).order,
    exhibitDigest: '',
    steps,
    estimate: { seconds: 372, gpuSeconds: 0, tokens: 6_150_000 },
    diskBytes: 84_000_000,
    modelLoads: 15,
    missing: [],
    notes: [],
  };
  it('counts what is run and, separately, what is reused', () => {
    expect(planCost(plan)).toEqual([
      'about 6 min',
      '5 seeds',
      `${trainings} trainings`,
      `${searches} searches`,
      '6.2 M tokens',
      '84.0 MB on disk',
    ]);
    const reused = steps.map((step) => (step.kind === 'train' ? { ...step, reuse: 'there' } : step));
    expect(planCost({ ...plan, steps: reused })).toEqual([
      'about 6 min',
      '5 seeds',
      `${searches} searches`,
      `${trainings} steps reused`,
      '6.2 M tokens',
      '84.0 MB on disk',
    ]);
  });

  it('says that a time is not known rather than none', () => {
    const estimate = { seconds: null, gpuSeconds: null, tokens: null };
    expect(planCost({ ...plan, estimate, diskBytes: null })[0]).toBe(
      'time unknown until a similar step has run',
    );
  });
});

describe('what is missing', () => {
  it('is listed once for each action, complete, in the order of the plan', () => {
    const add = { todo: 'Add a GPU machine.', address: '/add-machine' };
    const advice = { todo: 'Name it in the order.', address: null };
    expect(
      missingByRemedy([
        { what: 'No MARTI.', ...advice },
        { what: 'No GPU for A.', ...add },
        { what: 'No data.', ...advice },
        { what: 'No GPU for B.', ...add },
      ]),
    ).toEqual([
      { ...advice, messages: ['No MARTI.', 'No data.'] },
      { ...add, messages: ['No GPU for A.', 'No GPU for B.'] },
    ]);
  });
});

describe('what is missing of several models', () => {
  const missing = ['A-8B', 'B-8B', 'C-8B', 'D-8B'].map((subject) => ({
    ...{ what: `No machine can train ${subject}: a training takes 4 GPUs.`, subject },
    ...{ todo: 'Add a GPU machine.', address: '/add-machine' },
  }));
  const sentences = (most?: number) => missingByRemedy(missing, most).flatMap(({ messages }) => messages);

  it('is one sentence with all of their names, or with the first and the number of the rest', () => {
    expect(sentences()).toEqual(['No machine can train A-8B, B-8B, C-8B and D-8B: a training takes 4 GPUs.']);
    expect(sentences(2)).toEqual(['No machine can train A-8B, B-8B and 2 more: a training takes 4 GPUs.']);
  });
});

describe('the status of a step', () => {
  it('shows what a plan reuses and what is missing', () => {
    const [step] = sampleSteps(sampleExhibit('homogeneous'), 'pocket');
    if (step === undefined) throw new Error('no step');
    expect(stepTone(step)).toBe('planned');
    expect(stepTone({ ...step, reuse: 'there' })).toBe('reused');
    expect(stepTone({ ...step, missing: [{ what: '', todo: '', address: null }] })).toBe('missing');
  });

  it('blocks what waits for a failed one', () => {
    const { steps } = sampleReproduction({ exhibitId: 'homogeneous', done01: 1, failedSearch: 2 });
    const tones = steps.map(stepTone);
    expect(tones.filter((tone) => tone === 'failed')).toHaveLength(1);
    // Its grading, its metrics, and its three values.
    expect(tones.filter((tone) => tone === 'blocked')).toHaveLength(5);
  });
});
