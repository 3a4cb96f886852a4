import { describe, expect, it } from 'vitest';
import { trainingSpecSchema } from '../../../preload/contract';
import {
  changedFields,
  MODEL_FIELDS,
  modelOfTexts,
  PLAIN_MODEL_TRAINING,
  PLAIN_POCKET_TRAINING,
  POCKET_FIELDS,
  pocketOfTexts,
  textsOfModel,
  textsOfPocket,
} from '../../../preload/contract/plans';

const { seed: _seed, ...PLAIN } = PLAIN_POCKET_TRAINING;
const TEXTS = textsOfPocket(PLAIN);
const { seed: _modelSeed, python: _python, ...SHARED_MODEL } = PLAIN_MODEL_TRAINING;
const MODEL_TEXTS = textsOfModel(SHARED_MODEL);

/** Everything that can be left out is there, so that each value has its place. */
const OBJECTIVE = {
  ...PLAIN.objective,
  overlong: { maximumTokens: 9, bufferTokens: 1, factor: 1 },
  filter: { low: 0, high: 1 },
};
const WHOLE = {
  pocket: {
    ...{ kind: 'pocket', method: 'rs2', families: ['reader'] },
    ...PLAIN_POCKET_TRAINING,
    objective: OBJECTIVE,
  },
  model: {
    ...{ kind: 'model', method: 'rs2', agents: [{ id: 'a', model: '/m' }] },
    ...PLAIN_MODEL_TRAINING,
    problems: { benchmarkId: 'mbpp', choose: { from: 0, to: 1 } },
    writer: { engine: 'vllm' },
    objective: OBJECTIVE,
  },
} as const;

/** The other fields needed to check a field alone. */
const MATES: Readonly<Record<string, Record<string, string>>> = {
  'objective.overlong.maximumTokens': { 'objective.overlong.bufferTokens': '1' },
  'objective.overlong.bufferTokens': { 'objective.overlong.maximumTokens': '1000000' },
  'objective.filter.low': { 'objective.filter.high': '2' },
  'objective.filter.high': { 'objective.filter.low': '-1' },
};

function errorsOf(change: Record<string, string>): readonly string[] {
  const read = pocketOfTexts({ ...TEXTS, ...change });
  return read.ok ? [] : read.errors.map(({ id }) => id);
}

describe('the fields of a training', () => {
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

  it.each(['pocket', 'model'] as const)(
    'refuse exactly the numbers that the contract refuses: %s',
    (kind) => {
      for (const { id, kind: field } of kind === 'pocket' ? POCKET_FIELDS : MODEL_FIELDS) {
        if (field.kind === 'choice' || field.kind === 'path') continue;
        const { least, most } = field;
        for (const value of [least, most, least - 1, most + 1, least + 0.5]) {
          // The contract sets tokens no upper end.
          if (id.endsWith('Tokens') && value > 1_000_000) continue;
          const change = { ...MATES[id], [id]: String(value) };
          const read =
            kind === 'pocket'
              ? pocketOfTexts({ ...TEXTS, ...change })
              : modelOfTexts({ ...MODEL_TEXTS, ...change });
          const parsed = trainingSpecSchema.safeParse(withValue(WHOLE[kind], id, value));
          const isRefused = !read.ok && read.errors.some((error) => error.id === id);
          const isRefusedThere =
            !parsed.success && parsed.error.issues.some(({ path }) => path.join('.') === id);
          expect([id, value, isRefused]).toEqual([id, value, isRefusedThere]);
        }
      }
    },
  );

  it('have every choice of the contract, and no other', () => {
    for (const { id, kind } of MODEL_FIELDS) {
      if (kind.kind !== 'choice' || kind.choices.some(({ value }) => value === 'true')) continue;
      for (const { value } of [...kind.choices, { value: 'none' }]) {
        const isTaken = trainingSpecSchema.safeParse(withValue(WHOLE.model, id, value)).success;
        expect([id, value, isTaken]).toEqual([id, value, value !== 'none']);
      }
    }
  });

  it('of language models open with the usual values, and give back what is not as usual', () => {
    expect(modelOfTexts(MODEL_TEXTS)).toMatchObject({ ok: true, value: { lora: { rank: 16, alpha: 32 } } });
    const odd = {
      ...SHARED_MODEL,
      problems: { choose: { measured: 40, samples: 4, from: 0, to: 0.5 } },
      evaluation: { problems: 5, nodes: 4, samples: 2, every: 1, before: false },
      lora: null,
      objective: { ...SHARED_MODEL.objective, ratioAgainst: 'old' as const },
      ...{ oldFrom: 'sampled' as const, device: 'cuda' as const, dtype: 'bfloat16' as const },
      ...{ processes: 2, threads: 3 },
      writer: { engine: 'vllm' as const, publish: 'reload' as const, python: '/v/python', memoryShare: 0.3 },
    };
    expect(modelOfTexts(textsOfModel(odd))).toEqual({ ok: true, value: odd });
  });

  it('choose problems by Pass@1 only where it is said how many to measure', () => {
    const read = (change: Record<string, string>) => modelOfTexts({ ...MODEL_TEXTS, ...change });
    const [measured, samples] = ['problems.choose.measured', 'problems.choose.samples'];
    const [from, to] = ['problems.choose.from', 'problems.choose.to'];
    const resultOf = (change: Record<string, string>) => {
      const { ok, ...result } = read(change);
      return 'value' in result ? [ok, result.value.problems] : [ok, result.errors];
    };
    expect(resultOf({})).toEqual([true, {}]);
    expect(resultOf({ [measured]: '30' })).toEqual([
      true,
      { choose: { measured: 30, samples: 8, from: 0.1, to: 0.8 } },
    ]);
    expect(resultOf({ [measured]: '30', [samples]: '16', [from]: '0', [to]: '0.05' })).toEqual([
      true,
      { choose: { measured: 30, samples: 16, from: 0, to: 0.05 } },
    ]);
    expect(resultOf({ [to]: '0.5' })).toEqual([
      false,
      [{ id: measured, message: 'Enter how many problems to measure.' }],
    ]);
    // The default least is 0.1.
    expect(resultOf({ [measured]: '30', [to]: '0.05' })).toEqual([
      false,
      [{ id: to, message: 'Must be at least the least Pass@1.' }],
    ]);
  });

  it('name an engine that writes, with the safe way to publish where none is said', () => {
    const writerOf = (change: Record<string, string>) => {
      const read = modelOfTexts({ ...MODEL_TEXTS, ...change });
      return read.ok ? (read.value.writer ?? null) : read.errors.map(({ id }) => id);
    };
    expect(writerOf({})).toBeNull();
    const [adapter, restart] = ['adapter', 'restart'].map((publish) => ({ engine: 'vllm', publish }));
    expect(writerOf({ 'writer.engine': 'vllm' })).toEqual({ ...adapter, memoryShare: 0.45 });
    const allWeights = { 'lora.rank': '', 'lora.alpha': '' };
    expect(writerOf({ 'writer.engine': 'vllm', ...allWeights })).toEqual({ ...restart, memoryShare: 0.45 });
    expect(writerOf({ 'writer.python': '/v/python' })).toEqual(['writer.engine']);
    expect(writerOf({ 'writer.engine': 'vllm', 'writer.memoryShare': '1' })).toEqual(['writer.memoryShare']);
  });

  it('evaluate before the first update, or not, or as it comes', () => {
    const beforeOf = (text: string) => {
      const read = modelOfTexts({ ...MODEL_TEXTS, 'evaluation.before': text });
      return read.ok ? read.value.evaluation.before : 'refused';
    };
    expect([beforeOf(''), beforeOf('true'), beforeOf('false'), beforeOf('maybe')]).toEqual([
      undefined,
      true,
      false,
      'refused',
    ]);
  });

  it('says what is missing of a pair', () => {
    expect(errorsOf({ 'objective.overlong.maximumTokens': '100' })).toEqual([
      'objective.overlong.bufferTokens',
    ]);
    expect(errorsOf({ 'objective.filter.low': '0.5', 'objective.filter.high': '0.2' })).toEqual([
      'objective.filter.high',
    ]);
  });

  it('detects changes by value, not by spelling', () => {
    expect(changedFields({ ...TEXTS, rate: '3e-2', updates: '150' }, TEXTS)).toEqual(['updates']);
  });
});

/** A training with one value at a path. */
function withValue(whole: object, path: string, value: number | string): unknown {
  const changed = structuredClone(whole) as Record<string, unknown>;
  const parts = path.split('.');
  let at = changed;
  for (const part of parts.slice(0, -1)) at = at[part] as Record<string, unknown>;
  at[parts.at(-1) ?? ''] = value;
  return changed;
}
