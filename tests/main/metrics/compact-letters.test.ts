import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupLetters } from '../../../main/metrics';

// Same cases in every run.
fc.configureGlobal({ seed: 1 });

const differIn = (pairs: readonly string[]) => (a: string, b: string) =>
  pairs.includes(a + b) || pairs.includes(b + a);

describe('letters of groups', () => {
  it.each<[string, string[], string[], string[]]>([
    ['are one when nothing differs', ['p', 'q', 'r'], [], ['a', 'a', 'a']],
    ['are all different when everything does', ['p', 'q', 'r'], ['pq', 'pr', 'qr'], ['a', 'b', 'c']],
    ['overlap where the middle is like both ends', ['p', 'q', 'r'], ['pr'], ['a', 'ab', 'b']],
    // Piepho (2004) shows this kind of display: T1 to T4, where 1-3, 1-4 and 2-4 differ.
    ['go on like a chain', ['p', 'q', 'r', 's'], ['pr', 'ps', 'qs'], ['a', 'ab', 'bc', 'c']],
    ['set one apart', ['p', 'q', 'r'], ['pq', 'pr'], ['a', 'b', 'b']],
    ['of nobody are nothing', [], [], []],
  ])('%s', (_, items, pairs, letters) => {
    expect([...groupLetters(items, differIn(pairs)).values()]).toEqual(letters);
  });

  it('are shared by exactly those that do not differ significantly', () => {
    const items = ['p', 'q', 'r', 's', 't', 'u', 'v'];
    const everyPair = items.flatMap((a, i) => items.slice(i + 1).map((b) => a + b));
    fc.assert(
      fc.property(fc.subarray(everyPair), (pairs) => {
        const letters = groupLetters(items, differIn(pairs));
        for (const pair of everyPair) {
          const [a, b] = [letters.get(pair.charAt(0)) ?? '', letters.get(pair.charAt(1)) ?? ''];
          expect([...a].some((letter) => b.includes(letter))).toBe(!pairs.includes(pair));
        }
        expect([...letters.values()].every((own) => own !== '')).toBe(true);
      }),
    );
  });
});
