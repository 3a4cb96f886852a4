import { describe, expect, it } from 'vitest';
import { plainId } from '../../../preload/contract/plans';

describe('an id of a name', () => {
  it.each([
    ['Qwen3-8B', 'qwen3-8b'],
    ['  GPU box, 2nd floor!  ', 'gpu-box-2nd-floor'],
    ['user@host.lab.edu', 'user-host-lab-edu'],
    ['--- a -- b ---', 'a-b'],
    ['Heter-MARS², seed 12', 'heter-mars-seed-12'],
    ['Büro-Kasten, Straße 2', 'buro-kasten-strasse-2'],
    ['…', ''],
    ['', ''],
  ])('of "%s" is "%s"', (name, id) => {
    expect(plainId(name)).toBe(id);
  });

  it('keeps dots where they may stand, but not at an end', () => {
    expect(plainId('.HumanEval v1.2.', { dots: true })).toBe('humaneval-v1.2');
    expect(plainId('HumanEval v1.2')).toBe('humaneval-v1-2');
  });

  it('has no dash at the end where it was cut', () => {
    expect(plainId('abcd efgh', { most: 5 })).toBe('abcd');
    expect(plainId('abcd efgh', { most: 6 })).toBe('abcd-e');
  });
});
