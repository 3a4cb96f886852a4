import { describe, expect, it } from 'vitest';
import { trainingRequestSchema } from '../../../preload/contract';
import {
  EMPTY_MODEL,
  type ModelDraft,
  modelName,
  withModelAgent,
} from '../../../renderer/new-training/model-draft';
import {
  checkTraining,
  draftOfTraining,
  EMPTY_TRAINING,
  type TrainingDraft,
} from '../../../renderer/new-training/training-draft';
import { sampleLab } from '../../support/sample-jobs';
import { orderedTraining } from '../../support/sample-requests';

const machine = sampleLab().find(({ spec }) => spec.id === 'gpu1') ?? null;
const known = { machine, recipe: null, benchmarkIds: ['mbpp', 'humaneval'] };
const [first, second] = EMPTY_MODEL.agents;
if (first === undefined || second === undefined) throw new Error('The empty form has two agents');

const FILLED: ModelDraft = {
  ...EMPTY_MODEL,
  agents: [
    { ...first, model: '/models/SmolLM2-135M' },
    { ...second, model: '~/models/Qwen3-0.6B.gguf' },
  ],
  problems: { benchmarkId: 'mbpp', ids: '' },
};
const draftOf = (change: Partial<ModelDraft> = {}, texts: Record<string, string> = {}): TrainingDraft => ({
  ...EMPTY_TRAINING,
  kind: 'model',
  model: { ...FILLED, ...change, texts: { ...FILLED.texts, ...texts } },
});
const errorsOf = (draft: TrainingDraft) =>
  checkTraining(draft, known).errors.map(({ at, message }) => `${at}: ${message}`);
const agentsWith = (change: Partial<typeof first>) => [
  { ...first, model: '/m', ...change },
  FILLED.agents[1] ?? second,
];

describe('the form of a training of language models', () => {
  it('gives a request that main takes as it is', () => {
    const { request, errors } = checkTraining(draftOf(), known);
    expect(errors).toEqual([]);
    expect(trainingRequestSchema.parse(request)).toEqual(request);
    expect(request).toMatchObject({
      name: 'Heter-MARS², SmolLM2-135M + Qwen3-0.6B.gguf',
      spec: {
        kind: 'model',
        lora: { rank: 16, alpha: 32 },
        problems: { benchmarkId: 'mbpp', problemIds: null },
        evaluation: { on: null },
      },
    });
  });

  it('asks only for what is missing when nothing was entered', () => {
    const { errors } = checkTraining({ ...EMPTY_TRAINING, kind: 'model' }, known);
    expect(errors.map(({ at, kind }) => [at, kind])).toEqual([
      ['model 0', 'missing'],
      ['model 1', 'missing'],
      ['benchmark', 'missing'],
    ]);
  });

  it.each<[string, Partial<ModelDraft>, Record<string, string>, string]>([
    ['one agent', { agents: [{ ...first, model: '/m' }] }, {}, 'agents: Heter-MARS² needs two agents.'],
    ['no name', { agents: agentsWith({ id: ' ' }) }, {}, 'id 0: Enter a name.'],
    [
      'a name that names no file',
      { agents: agentsWith({ id: 'Qwen 3' }) },
      {},
      'id 0: Small letters, digits and dashes, at most 41.',
    ],
    ['a name twice', { agents: agentsWith({ id: second.id }) }, {}, 'id 1: Another agent has this name.'],
    [
      'a name at the hub',
      { agents: agentsWith({ model: 'Qwen/Qwen3' }) },
      {},
      'model 0: Enter a full path, from / or ~.',
    ],
    [
      'an answer without tokens',
      { agents: agentsWith({ maxTokens: '0' }) },
      {},
      'tokens 0: A whole number from 1 to 1,000,000.',
    ],
    ['a seed', { seed: '-1' }, {}, 'seed: A whole number from 0 to 2,147,483,647.'],
    ['no Python', { python: ' ' }, {}, 'python: Enter the Python that has torch and transformers.'],
    [
      'a benchmark that was removed',
      { problems: { benchmarkId: 'gone', ids: '' } },
      {},
      'benchmark: gone is not in the Library. Choose another benchmark.',
    ],
    [
      'no other benchmark',
      { evaluateOn: { benchmarkId: null, ids: '' } },
      {},
      'evaluation.benchmark: Choose a benchmark.',
    ],
    ['a rank', {}, { 'lora.rank': '0' }, 'lora.rank: A whole number from 1 to 1,024.'],
    [
      'a rank alone',
      {},
      { 'lora.alpha': '' },
      'lora.alpha: Rank and alpha belong together: fill in both, or neither.',
    ],
    [
      'adapters without a size',
      {},
      { 'lora.rank': '', 'lora.alpha': '' },
      'lora.rank: Needs a value. Without adapters, choose all weights.',
    ],
    ['threads', {}, { threads: '257' }, 'threads: A whole number from 1 to 256.'],
    [
      'sampling of the evaluation',
      { sampling: { topP: '2' } },
      {},
      'sampling.topP: Must be a number from 0.001 to 1, not "2".',
    ],
  ])('says at the field what is wrong: %s', (_, change, texts, error) => {
    expect(errorsOf(draftOf(change, texts))).toEqual([error]);
  });

  it('does not check what is not shown', () => {
    expect(errorsOf(draftOf({ method: 'base' }, { updates: '0', 'lora.rank': '0' }))).toEqual([]);
    expect(errorsOf(draftOf({ trains: 'weights' }, { 'lora.rank': '', 'lora.alpha': 'x' }))).toEqual([]);
  });

  it('trains all weights without adapters', () => {
    const { request } = checkTraining(draftOf({ trains: 'weights' }), known);
    expect(request?.spec).toMatchObject({ lora: null });
  });

  it('takes pasted ids once each, and the evaluation of another benchmark', () => {
    const { request } = checkTraining(
      draftOf({
        problems: { benchmarkId: 'mbpp', ids: 'mbpp/2, mbpp/3,mbpp/2' },
        evaluateOn: { benchmarkId: 'humaneval', ids: 'HumanEval/0\nHumanEval/1, again\n' },
        sampling: { temperature: '0.6' },
      }),
      known,
    );
    expect(request?.spec).toMatchObject({
      problems: { problemIds: ['mbpp/2', 'mbpp/3'] },
      evaluation: {
        on: { benchmarkId: 'humaneval', problemIds: ['HumanEval/0', 'HumanEval/1, again'] },
        sampling: { temperature: 0.6 },
      },
    });
  });

  it('adds an agent like the last one, under a name of its own', () => {
    const more = withModelAgent(withModelAgent(FILLED));
    expect(more.agents.map(({ id }) => id)).toEqual(['agent-1', 'agent-2', 'agent-3', 'agent-4']);
    expect(more.agents[3]).toMatchObject({ model: '~/models/Qwen3-0.6B.gguf', key: 3 });
    expect(errorsOf(draftOf({ agents: more.agents }))).toEqual([]);
    expect(modelName(more)).toBe('Heter-MARS², SmolLM2-135M + Qwen3-0.6B.gguf');
  });

  it('opens like an earlier training, with all weights too', () => {
    const training = orderedTraining('model');
    const { spec } = training;
    if (spec.kind !== 'model') throw new Error('Not a training of models');
    const odd = {
      ...spec,
      lora: null,
      objective: { ...spec.objective, ratioAgainst: 'old' as const },
      oldFrom: 'sampled' as const,
      threads: 4,
      evaluation: { ...spec.evaluation, on: { benchmarkId: 'humaneval', problemIds: null } },
    };
    for (const earlier of [spec, odd]) {
      const draft = draftOfTraining({ ...training, spec: earlier }, null);
      expect(checkTraining(draft, known).request?.spec).toEqual(earlier);
    }
  });
});
