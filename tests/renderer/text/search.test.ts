import { describe, expect, test } from 'vitest';
import {
  methodTitle,
  PRESETS,
  type SearchOptions,
  type Study,
  searchInFull,
} from '../../../preload/contract';
import {
  answerRuleText,
  otherGradingMode,
  ownSearchFacts,
  searchFacts,
  sharedSearchFacts,
} from '../../../renderer/text/search';
import { sampleStudy } from '../../support/sample-study';

const [sampleRun] = sampleStudy().runs;
if (sampleRun === undefined) throw new Error('the sample has no run');
const plain: SearchOptions = sampleRun.search;

function preset(id: string): SearchOptions {
  const found = PRESETS.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no preset ${id}`);
  const { guided, ...method } = found.method;
  return {
    ...plain,
    ...method,
    rewardModel: guided ? { source: { kind: 'pocket', seed: 1 }, use: 'choice', weight: 0.2 } : null,
  };
}

test('why a node is the answer names the rule for ties, and the reward model only where it chooses', () => {
  const end = (rule: Pick<SearchOptions, 'tie' | 'rewardModel'>) =>
    answerRuleText(rule).split(' chooses ')[1];
  const model = { source: { kind: 'pocket', seed: 1 }, weight: 0.2 } as const;
  expect(end({ tie: 'latest', rewardModel: null })).toBe('the latest.');
  expect(end({ tie: 'earliest', rewardModel: { ...model, use: 'score' } })).toBe('the earliest.');
  expect(end({ tie: 'latest', rewardModel: { ...model, use: 'choice' } })).toBe(
    'the one with the best reward, of equal rewards the latest.',
  );
});

describe('the title of a way of searching', () => {
  test.each(PRESETS.map(({ id, name }) => [name, id]))('%s is called so', (name, id) => {
    expect(methodTitle(preset(id))).toBe(name);
  });

  test.each<[string, Partial<SearchOptions>]>([
    ['MARS²-T+, verdict feedback', { feedback: 'verdicts' }],
    ['MARS²-T+, no reward model', { rewardModel: null }],
    ['MARS²-T+, partial credit', { score: 'fraction' }],
  ])('what is left of MARS²-T+ without a part is "%s"', (text, change) => {
    expect(methodTitle({ ...preset('mars2-t-plus'), ...change })).toBe(text);
  });

  test('MARS²-T+ without its depth guidance says so', () => {
    const whole = preset('mars2-t-plus');
    const { strategy } = whole;
    if (strategy.kind !== 'ab-mcts-a') throw new Error('MARS²-T+ is made of AB-MCTS-A');
    expect(methodTitle({ ...whole, strategy: { ...strategy, depthGuidance: null } })).toBe(
      'MARS²-T+, no depth guidance',
    );
  });

  test('far from every preset it says that it is changed, and in full how', () => {
    const far = { ...preset('mcts'), score: 'all', tie: 'latest', feedback: 'errors' } as const;
    expect(methodTitle(far)).toBe('MCTS (UCT), changed');
    expect(searchInFull(far)).toBe(
      'MCTS (UCT), changed (2 programs per leaf and agent, exploration 1.41, error feedback, no reward model, all-or-nothing score, latest on ties; answer: of the programs that pass all public tests, or of all if none does, the latest)',
    );
  });

  test.each([
    [
      'MARS²-T (AB-MCTS-A: Beta beliefs, agents by Thompson sampling, no depth guidance; answer: of the programs that pass all public tests, or of all if none does, the latest)',
      'mars2-t',
    ],
    ['Repeated sampling (answer: of the programs that pass the most public tests, the earliest)', 'repeated'],
  ])('for who does not know the name it is "%s"', (text, id) => {
    expect(searchInFull(preset(id))).toBe(text);
  });

  test.each([
    [
      'choice',
      'of the programs that pass all public tests, or of all if none does, the one with the best reward',
    ],
    ['score', 'of the programs with the best score, which is of public tests and reward, the latest'],
  ] as const)('a reward model of use "%s" is part of how the answer is chosen', (use, text) => {
    const rewardModel = { source: { kind: 'pocket', seed: 1 }, use, weight: 0.2 } as const;
    expect(searchInFull({ ...preset('mars2-t'), rewardModel })).toContain(`answer: ${text}`);
  });
});

describe('the facts of a search', () => {
  test('leave out defaults', () => {
    expect(searchFacts(plain, 'AB-MCTS-A')).toEqual(['AB-MCTS-A', 'N = 24']);
  });

  test('include budgets, order, early stopping, a reward model and the grading mode', () => {
    const search: SearchOptions = {
      ...plain,
      nodes: 2_000,
      batch: 8,
      order: 'arrival',
      treeBudget: { tokens: 20_000, seconds: 90 },
      stopWhenSolved: true,
      rewardModel: { source: { kind: 'http', url: 'http://localhost:1' }, use: 'score', weight: 0.2 },
      grading: 'as-published',
    };
    expect(searchFacts(search, 'MCTS (UCT)')).toEqual([
      'MCTS (UCT)',
      'N = 2,000',
      '8 at once, in order of arrival',
      '≤ 20,000 tokens per tree',
      '≤ 90 s per tree',
      'stops when solved',
      'reward model in the score',
      'graded as published',
    ]);
  });
});

describe('an ablation', () => {
  const sample = sampleStudy();
  const study: Study = {
    ...sample,
    runs: sample.runs.map((run, at) => (at === 0 ? { ...run, search: { ...run.search, nodes: 12 } } : run)),
  };
  const name = () => 'MARS²-T';

  test('shows in the header what all rows share, and that they differ', () => {
    expect(sharedSearchFacts(study, name)).toEqual({ shared: ['MARS²-T'], differ: true });
    expect(sharedSearchFacts(sample, name)).toEqual({ shared: ['MARS²-T', 'N = 24'], differ: false });
  });

  test('shows in each row only what is not the same for all', () => {
    expect(ownSearchFacts(study, 'single', name)).toEqual(['N = 12']);
    expect(ownSearchFacts(study, 'homogeneous', name)).toEqual(['N = 24']);
    expect(ownSearchFacts(sample, 'single', name)).toEqual([]);
  });
});

test('a row named after its method does not repeat it', () => {
  const sample = sampleStudy();
  const names = ['MARS²-T', 'Qwen3-8B, MARS²-T', 'MARS²-T+'];
  const study = {
    ...sample,
    runs: sample.runs.map((run, at) => ({ ...run, configuration: names[at] ?? run.configuration })),
  };
  const way = new Map(study.runs.map(({ search }, at) => [search, at]));
  const called = (search: SearchOptions) => (way.get(search) === 2 ? 'MCTS (UCT)' : 'MARS²-T');
  expect(names.map((name) => ownSearchFacts(study, name, called))).toEqual([[], [], ['MCTS (UCT)']]);
});

test('the other reading is the one that the study was not graded by; null where both were used', () => {
  const study = sampleStudy();
  expect(otherGradingMode(study)).toBe('as-published');
  const mixed = study.runs.map((run, at) => ({
    ...run,
    search: { ...run.search, grading: at === 0 ? ('as-published' as const) : ('as-program' as const) },
  }));
  expect(otherGradingMode({ ...study, runs: mixed })).toBeNull();
});
