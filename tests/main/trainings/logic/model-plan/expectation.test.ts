import { describe, expect, test } from 'vitest';
import {
  expectation,
  type Known,
  memoryCheck,
} from '../../../../../main/trainings/logic/model-plan/expectation';
import { readModelShape } from '../../../../../main/trainings/logic/model-plan/model-shape';
import { smol, training } from '../../../../support/model-shapes';

describe('what a plan says', () => {
  const known: Known = {
    device: 'processor',
    cores: 2,
    deviceBytes: 8e9,
    shapes: [readModelShape(JSON.stringify(smol))],
    problems: 40,
    rate: null,
    speed: null,
    gains: { passOne: 0.128, search: null },
  };

  test('hours and memory come first, then work, passes and the smallest gain', () => {
    const lines = expectation(training(), known);
    expect(lines[0]).toMatch(/^Takes \d+ minutes to \d+ hours: a wide guess, .* a processor with 2 cores\./);
    expect(lines[1]).toMatch(/^Memory: about [\d.]+ GB of the 8\.0 GB of the machine\.$/);
    expect(lines[2]).toMatch(
      /^small: 135 million parameters, 4\.9 million of them trained; weights 0\.6 GB, /,
    );
    expect(lines[3]).toMatch(/^All 20 updates are reached after about 10 rounds: 640 answers are written/);
    expect(lines[3]).toContain('each of 40 problems is met 2.0 times');
    // 640 answers of at most 512 + 1,024 tokens, 10 operations each.
    expect(lines[4]).toMatch(
      /: 10 operations for each parameter and token, at most 1\.3 × 10\^15 operations/,
    );
    expect(lines[5]).toMatch(
      /20 held-out problems can show: 12\.8 points of Pass@1 with 8 answers a problem \(before/,
    );
  });

  test('of problems that are yet to be chosen only the trees are known, and one core is one', () => {
    const spec = training();
    const choose = { measured: 40, samples: 4, from: 0.1, to: 0.8 };
    const chosen = { ...spec, problems: { ...spec.problems, choose } };
    const lines = expectation(chosen, { ...known, cores: 1 });
    expect(lines[0]).toContain('a processor with one core.');
    expect(lines[3]).toContain(' 640 of them learned from, in 80 trees of the chosen problems;');
  });

  test('too few problems to show any gain are named', () => {
    const few = { ...known, gains: { passOne: null, search: null } };
    expect(expectation(training(), few).at(-1)).toBe('20 held-out problems are too few to show any gain.');
  });

  test('what is unknown is said: a model that is not there, a machine that was not asked', () => {
    const absent = expectation(training(), { ...known, shapes: [{ kind: 'unknown', why: 'is not there' }] });
    expect(absent.slice(0, 2)).toEqual([
      'How long it takes is unknown: a model could not be read.',
      'Memory of small is unknown: /models/small is not there.',
    ]);
    const unasked = expectation(training(), { ...known, shapes: null });
    for (const line of unasked.slice(0, 2)) expect(line).toContain('until the machine is checked');
  });

  test('too little memory is a bad check, with the smallest change that helps', () => {
    const tight = { ...known, deviceBytes: 3e9 };
    expect(memoryCheck(training({ lora: null }), tight)).toMatchObject({
      state: 'bad',
      todo: 'Train adapters (--lora 16) instead of all weights.',
    });
    expect(expectation(training({ lora: null }), tight)[1]).toContain('It does not fit. Train adapters');
    expect(memoryCheck(training(), known)).toMatchObject({ state: 'good', todo: null });
    expect(memoryCheck(training(), { ...known, deviceBytes: null })).toBeNull();
  });
});
