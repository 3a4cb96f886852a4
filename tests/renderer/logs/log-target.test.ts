import { describe, expect, it } from 'vitest';
import { dayOf, parseTarget } from '../../../renderer/logs/log-target';

describe('where one wants to go in a log', () => {
  it.each([
    ['1200', { kind: 'line', line: 1_200 }],
    ['line 7', { kind: 'line', line: 7 }],
    ['1,200', { kind: 'line', line: 1_200 }],
    ['50 %', { kind: 'byte', offset: 5_000 }],
    ['400%', { kind: 'byte', offset: 10_000 }],
    ['1.5 kB', { kind: 'byte', offset: 1_500 }],
    ['3k', { kind: 'byte', offset: 3_000 }],
    ['4 GB', { kind: 'byte', offset: 10_000 }],
    ['byte 77', { kind: 'byte', offset: 77 }],
    ['77 B', { kind: 'byte', offset: 77 }],
    ['09:31', { kind: 'time', moment: { day: null, seconds: 34_260 } }],
    ['2026-01-05 09:31:40', { kind: 'time', moment: { day: dayOf(2026, 1, 5), seconds: 34_300 } }],
    ['01-05 00:00', { kind: 'time', moment: { day: dayOf(2_000, 1, 5), seconds: 0 } }],
  ])('“%s” is understood', (text, target) => {
    expect(parseTarget(text, 10_000)).toEqual(target);
  });

  it.each(['', 'somewhere', '0', '25:00', '12:60', '1 parsec', '-5'])('“%s” is not a target', (text) => {
    expect(parseTarget(text, 10_000)).toBeNull();
  });
});
