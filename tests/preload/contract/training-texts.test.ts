import { describe, expect, it } from 'vitest';
import { pocketTrainingSchema } from '../../../preload/contract';
import {
  changedFields,
  PLAIN_POCKET_TRAINING,
  POCKET_FIELDS,
  pocketOfTexts,
  textsOfPocket,
} from '../../../preload/contract/plans';

const { seed: _seed, ...PLAIN } = PLAIN_POCKET_TRAINING;
const TEXTS = textsOfPocket(PLAIN);
const BARE = { kind: 'pocket', method: 'rs2', families: ['reader'] };

/** The other fields needed to check a field alone. */
const MATES: Readonly<Record<string, Record<string, string>>> = {
  'objective.overlong.maximumTokens': { 'objective.overlong.bufferTokens': '1' },
  'objective.overlong.bufferTokens': { 'objective.overlong.maximumTokens': '1000000' },
  'objective.filter.low': { 'objective.filter.high': '2' },
  'objective.filter.high': { 'objective.filter.low': '-1' },
};

function faultsOf(change: Record<string, string>): readonly string[] {
  const read = pocketOfTexts({ ...TEXTS, ...change });
  return read.ok ? [] : read.errors.map(({ id }) => id);
}

describe('the fields of a pocket training', () => {
  it('open with the usual values and give them back', () => {
    expect(pocketOfTexts(TEXTS)).toEqual({ ok: true, value: PLAIN });
  });

  it('give back every switch that is not as usual', () => {
    const odd = {
      ...PLAIN,
      refinement: false,
      objective: {
        ...PLAIN.objective,
        shaping: { strength: 0, siblingShare: 1, shapedParent: true },
        group: 'batch' as const,
        ratio: 'token' as const,
        importanceCap: null,
        kl: { estimator: 'k1' as const, coefficient: 0 },
        overlong: { maximumTokens: 100, bufferTokens: 20, factor: 0.5 },
        filter: { low: 0, high: 1 },
      },
    };
    expect(pocketOfTexts(textsOfPocket(odd))).toEqual({ ok: true, value: odd });
  });

  it('refuse exactly the numbers that the contract refuses', () => {
    for (const { id, kind } of POCKET_FIELDS) {
      if (kind.kind === 'choice') continue;
      for (const value of [kind.least, kind.most, kind.least - 1, kind.most + 1, kind.least + 0.5]) {
        // The contract sets tokens no upper end.
        if (id.endsWith('Tokens') && value > 1_000_000) continue;
        const read = pocketOfTexts({ ...TEXTS, ...MATES[id], [id]: String(value) });
        const parsed = pocketTrainingSchema.safeParse(withValue(id, value));
        const isRefused = !read.ok && read.errors.some((fault) => fault.id === id);
        const isRefusedThere =
          !parsed.success && parsed.error.issues.some(({ path }) => path.join('.') === id);
        expect([id, value, isRefused]).toEqual([id, value, isRefusedThere]);
      }
    }
  });

  it('says what is missing of a pair', () => {
    expect(faultsOf({ 'objective.overlong.maximumTokens': '100' })).toEqual([
      'objective.overlong.bufferTokens',
    ]);
    expect(faultsOf({ 'objective.filter.low': '0.5', 'objective.filter.high': '0.2' })).toEqual([
      'objective.filter.high',
    ]);
  });

  it('detects changes by value, not by spelling', () => {
    expect(changedFields({ ...TEXTS, rate: '3e-2', updates: '150' }, TEXTS)).toEqual(['updates']);
  });
});

/** A training with one value at a path; what it stands in is as usual. */
function withValue(path: string, value: number): unknown {
  const whole = structuredClone({
    ...BARE,
    ...PLAIN_POCKET_TRAINING,
    objective: {
      ...PLAIN.objective,
      overlong: { maximumTokens: 9, bufferTokens: 1, factor: 1 },
      filter: { low: 0, high: 1 },
    },
  }) as Record<string, unknown>;
  const parts = path.split('.');
  let at = whole;
  for (const part of parts.slice(0, -1)) at = at[part] as Record<string, unknown>;
  at[parts.at(-1) ?? ''] = value;
  return whole;
}
