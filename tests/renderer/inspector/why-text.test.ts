import { expect, test } from 'vitest';
import type { Decision, OptionPosterior } from '../../../preload/contract';
import { optionText, questionText, shownQuestions } from '../../../renderer/run/inspector/why-text';

const shownOptions = (decision: Decision, beliefs: readonly (OptionPosterior | null)[] = []) => {
  const [shown] = shownQuestions([decision], [beliefs]);
  if (shown === undefined) throw new Error('no question is shown');
  return shown;
};

const wide: Decision = {
  node: -1,
  question: 'child',
  measure: 'draw',
  options: Array.from({ length: 30 }, (_, at) => `child:${at}`),
  values: Array.from({ length: 30 }, (_, at) => at / 30 - 0.5),
  chosen: 2,
};

test('a question says where it came up and what decides it', () => {
  expect(questionText(wide)).toBe('At the problem: which child? (the largest draw wins)');
  expect(questionText({ ...wide, node: 7, question: 'agent', measure: 'bound' })).toBe(
    'At node 7: which agent? (the largest bound wins; untried options first)',
  );
});

test('options are named as people know them', () => {
  const nameOf = (id: string) => `the ${id}`;
  expect(
    ['generate', 'proceed', 'child:3', 'leaf:-1', 'agent:a:b'].map((one) => optionText(one, -1, nameOf)),
  ).toEqual(['new program', 'go deeper', 'node 3', 'the problem', 'the a:b']);
});

test('below a node a new program refines that node', () => {
  const widen: Decision = { ...wide, node: 1, question: 'widen', options: ['generate', 'proceed'] };
  expect(questionText(widen)).toBe('At node 1: refine it or go deeper? (the largest draw wins)');
  expect(questionText({ ...widen, node: -1 })).toBe(
    'At the problem: new program or go deeper? (the largest draw wins)',
  );
  expect(optionText('generate', 1, String)).toBe('refine node 1');
});

test('questions with one measure share a scale, so that a small winner has a short bar', () => {
  const draws = (values: number[]): Decision => ({
    ...wide,
    options: values.map((_, at) => `child:${at}`),
    values,
    chosen: 0,
  });
  const bound: Decision = { ...draws([9, 3]), measure: 'bound' };
  const shown = shownQuestions([draws([0.2, 0.1]), bound, draws([0.8, 0.4])], null);
  expect(shown.map(({ low, high }) => [low, high])).toEqual([
    [0, 0.8],
    [0, 9],
    [0, 0.8],
  ]);
});

test('of many options the best are shown and the chosen one always', () => {
  const { rows, hidden } = shownOptions(wide);
  expect(rows).toHaveLength(8);
  expect(hidden).toBe(22);
  expect(rows[0]?.option).toBe('child:29');
  expect(rows.filter(({ chosen }) => chosen).map(({ option }) => option)).toEqual(['child:2']);
});

test('the scale of the bars holds zero, and untried options go first', () => {
  const bounds: Decision = {
    node: -1,
    question: 'agent',
    measure: 'bound',
    options: ['agent:a', 'agent:b'],
    values: [1.5, null],
    chosen: 1,
  };
  const { rows, low, high } = shownOptions(bounds);
  expect(rows[0]).toEqual({ option: 'agent:b', value: null, chosen: true, belief: null });
  expect([low, high]).toEqual([0, 1.5]);
});

test('with turns the smallest count goes first', () => {
  const turns: Decision = {
    ...wide,
    measure: 'turn',
    options: ['agent:a', 'agent:b'],
    values: [4, 3],
    chosen: 1,
  };
  expect(shownOptions(turns).rows.map(({ option }) => option)).toEqual(['agent:b', 'agent:a']);
});

test('beliefs stay with their options, and widen the scale as far as scores can reach', () => {
  const belief = (mean: number) => ({ observations: 1, mean, low: mean - 2, high: mean + 2 });
  const draws: Decision = {
    ...wide,
    options: ['child:0', 'child:1'],
    values: [0.2, 0.9],
    chosen: 1,
  };
  const { rows, low, high } = shownOptions(draws, [belief(0.3), belief(0.5)]);
  expect(rows.map(({ option, belief: of }) => [option, of?.mean])).toEqual([
    ['child:1', 0.5],
    ['child:0', 0.3],
  ]);
  expect([low, high]).toEqual([-0.25, 1.25]);
});
