import { describe, expect, it } from 'vitest';
import { problemMatcher } from '../../../../main/benchmarks/logic/match-problems';
import { recordedRow, rowsOfObject } from '../../../../main/benchmarks/logic/recorded-row';
import type { Problem } from '../../../../preload/contract';

function problem(id: string, statement = ''): Problem {
  return {
    id,
    title: id,
    statement,
    entryPoint: null,
    starterCode: '',
    difficulty: null,
    date: null,
    skills: [],
    publicTests: [],
    privateTests: [],
    canonicalProgram: null,
  };
}

function read(value: unknown) {
  const row = recordedRow(value);
  if (!row.ok) throw new Error(row.error);
  return row.value;
}

const texts = (value: unknown) => read(value).samples.map(({ text }) => text);

describe('a row of recorded programs', () => {
  it.each([
    ['human-eval', { task_id: 'T/1', completion: 'a' }, ['a']],
    ['human-eval with a list of beams', { task_id: 'T/1', completion: ['a', 'b'] }, ['a', 'b']],
    ['EvalPlus', { task_id: 'T/1', solution: 'a' }, ['a']],
    ['both of these: the solution', { task_id: 'T/1', solution: 'a', completion: 'b' }, ['a']],
    ['MGDebugger', { task_id: 'T/1', seed: '', solution: 'a' }, ['a']],
    ['AgentCoder', { task_id: 'T/1', completion: 'a', completion_list: ['b', 'c'] }, ['b', 'c']],
    ['MapCoder', { name: 3554, task_id: 3554, source_codes: ['a'] }, ['a']],
    ['LDB', { task_id: 'T/1', seed: 's', implementations: ['i', 'j'], solution: 'j' }, ['s']],
    ['LATS', { name: 'T_1_x', implementations: ['i', 'j'], solution: 'j' }, ['i']],
    ['InterCode', { task_id: 95, query: 'q', turn_history: { actions: ['a', 'b'] } }, ['a']],
    ['LiveCodeBench', { question_id: 'abc301_a', code_list: ['a', 'b'] }, ['a', 'b']],
    [
      'OpenAI’s chat answers, with and without a program',
      {
        custom_id: 'T/1',
        response: {
          body: {
            choices: [
              { message: { content: 'So:\n```python\na\n```' } },
              { message: { content: 'I cannot.' } },
            ],
          },
        },
      },
      ['a', ''],
    ],
    ['OpenAI’s completions', { task_id: 'T/1', choices: [{ text: '  return 1' }] }, ['  return 1']],
    ['a failed request of a batch', { custom_id: 'T/1', response: { body: null } }, []],
    ['a failed run', { name: 'T/1', prompt: 'p' }, []],
  ])('of %s gives its independent attempts', (_, row, expected) => {
    expect(texts(row)).toEqual(expected);
  });

  it('with implementations gives them as a trace', () => {
    expect(read({ name: 'T/1', implementations: ['i', 'j'] }).trace?.map(({ text }) => text)).toEqual([
      'i',
      'j',
    ]);
    expect(read({ name: 'T/1', solution: 'i' }).trace).toBeNull();
  });

  it.each([
    [{ completion: 'x' }, 'has no "task_id" (nor "question_id" or "custom_id").'],
    [{ task_id: '', completion: 'x' }, 'has a "task_id" that is empty.'],
    [{ task_id: [], completion: 'x' }, 'has a "task_id" that is not a text or a number.'],
    [{ task_id: 'T/1', completion: null }, 'has a "completion" that is not a text or a list of texts.'],
    [{ task_id: 'T/1', implementations: 'x' }, 'has an "implementations" that is not a list of texts.'],
    [[1], 'is JSON, but not an object; one JSON object a line is needed.'],
    [{ prompt: 'p', samples: ['x'] }, 'has samples but no task id, so nobody can tell'],
  ])('like %j is refused with a message', (row, message) => {
    const refused = recordedRow(row);
    expect(refused.ok ? '' : refused.error).toContain(message);
  });
});

describe('one object of rows', () => {
  it('of EvalPerf gives every kept solution, and says that only passing ones were kept', () => {
    const inside = rowsOfObject({
      eval: { 'HumanEval/9': { profiled: [{ solution: 'a' }, { solution: 'b' }] } },
    });
    expect(inside?.rows).toEqual([
      { task_id: 'HumanEval/9', solution: 'a' },
      { task_id: 'HumanEval/9', solution: 'b' },
    ]);
    expect(inside?.note).toContain('only programs that passed');
  });

  it('of InterCode gives its conversations, and a plain row gives nothing', () => {
    expect(rowsOfObject({ 0: { query: 'q' }, 1: { query: 'r' } })?.rows).toHaveLength(2);
    expect(rowsOfObject({ task_id: 'T/1', solution: 'a' })).toBeNull();
  });
});

describe('a row joins', () => {
  const join = problemMatcher([
    problem('Mbpp/2', 'Find the\n  shared elements.'),
    problem('Mbpp/11', 'Remove the first. Sort.'),
    problem('HumanEval/2', 'Add. Sort.'),
  ]);
  const byId = (id: string) => join({ by: 'id', id })?.id ?? null;

  it.each([
    ['Mbpp/2', 'Mbpp/2'],
    ['MBPP/2', 'Mbpp/2'],
    ['MbppEval/2', 'Mbpp/2'],
    ['mbpp_2_similar_elements', 'Mbpp/2'],
    ['HumanEval_2_truncate_number', 'HumanEval/2'],
    ['11', 'Mbpp/11'],
    ['2', null],
    ['APPS/11', null],
    ['Mbpp/3', null],
    ['something', null],
  ])('%s: %s', (id, expected) => {
    expect(byId(id)).toBe(expected);
  });

  it('any collection to a benchmark whose own ids are plain numbers', () => {
    const plain = problemMatcher([problem('602'), problem('603')]);
    expect(plain({ by: 'id', id: 'MbppEval/602' })?.id).toBe('602');
  });

  it('by its words where just one statement has them', () => {
    expect(join({ by: 'statement', statement: 'Find the shared elements.' })?.id).toBe('Mbpp/2');
    expect(join({ by: 'statement', statement: 'Sort.' })).toBeNull();
  });
});
