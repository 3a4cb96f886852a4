import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { finishReply, splitTokens } from '../../../main/servers/logic/reply';

const reply = (...tokens: string[]) => ({
  promptTokens: 1,
  tokens: tokens.map((token, index) => ({ token, logprob: -index })),
});

function finished(tokens: string[], maxTokens: number | null, ...stop: string[]) {
  const { text, tokens: kept, finishReason } = finishReply(reply(...tokens), { maxTokens, stop });
  return { text, kept: kept.map(({ token }) => token), finishReason };
}

describe('a reply’s limits', () => {
  test('without any, it is whole', () => {
    expect(finished(['a', 'b'], null)).toEqual({ text: 'ab', kept: ['a', 'b'], finishReason: 'stop' });
  });

  test('a limit of exactly its tokens does not cut it', () => {
    expect(finished(['a', 'b'], 2).finishReason).toBe('stop');
    expect(finished(['a', 'b'], 1)).toEqual({ text: 'a', kept: ['a'], finishReason: 'length' });
  });

  test('a stop text may lie across tokens and begin within one', () => {
    expect(finished(['def ', 'x\n\nd', 'ef y'], null, '\n\ndef')).toEqual({
      text: 'def x',
      kept: ['def ', 'x'],
      finishReason: 'stop',
    });
  });

  test('the earliest of several stop texts counts, and one behind the cut does not', () => {
    expect(finished(['a', 'b', 'c'], null, 'c', 'b').text).toBe('a');
    expect(finished(['a', 'b', 'c'], 2, 'c')).toMatchObject({ text: 'ab', finishReason: 'length' });
  });

  test('a stop text at the start leaves nothing', () => {
    expect(finished(['ab'], null, 'a')).toEqual({ text: '', kept: [], finishReason: 'stop' });
  });

  test('the kept tokens always are the text', () => {
    const word = fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'b', '\n', '€', '𝄞') });
    const stop = fc.array(
      word.filter((text) => text !== ''),
      { maxLength: 2 },
    );
    fc.assert(
      fc.property(fc.array(word), fc.option(fc.nat({ max: 5 })), stop, (tokens, maxTokens, stops) => {
        const { text, kept } = finished(tokens, maxTokens, ...stops);
        expect(kept.join('')).toBe(text);
        expect(stops.some((one) => text.includes(one))).toBe(false);
      }),
    );
  });
});

test('splitting a text into tokens loses nothing', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => splitTokens(text).join('') === text));
});
