import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  measuredRate,
  rangeText,
  secondsByDevice,
  secondsByRate,
} from '../../../../../main/trainings/logic/model-plan/duration';
import {
  expectation,
  type Known,
  memoryCheck,
} from '../../../../../main/trainings/logic/model-plan/expectation';
import { learnerMemory } from '../../../../../main/trainings/logic/model-plan/memory';
import { type ModelShape, readModelShape } from '../../../../../main/trainings/logic/model-plan/model-shape';
import { planScript, readPlanProbe } from '../../../../../main/trainings/logic/model-plan/probe';
import { trainingWork, updateCost } from '../../../../../main/trainings/logic/model-plan/work';
import { type ModelTraining, modelTrainingSchema } from '../../../../../preload/contract';
import { temporaryFolder } from '../../../../support/temporary-folder';

const smol = {
  ...{ model_type: 'llama', hidden_size: 576, intermediate_size: 1_536, num_hidden_layers: 30 },
  ...{ num_attention_heads: 9, num_key_value_heads: 3, vocab_size: 49_152 },
  ...{ tie_word_embeddings: true, max_position_embeddings: 8_192 },
};
const qwen = {
  ...{ model_type: 'qwen3', hidden_size: 4_096, intermediate_size: 12_288, num_hidden_layers: 36 },
  ...{ num_attention_heads: 32, num_key_value_heads: 8, head_dim: 128, vocab_size: 151_936 },
  tie_word_embeddings: false,
};
const qwen2 = {
  ...{ model_type: 'qwen2', hidden_size: 896, intermediate_size: 4_864, num_hidden_layers: 24 },
  ...{ num_attention_heads: 14, num_key_value_heads: 2, vocab_size: 151_936, tie_word_embeddings: true },
};

function shapeOf(config: object): ModelShape {
  const reading = readModelShape(JSON.stringify(config));
  if (reading.kind === 'unknown') throw new Error(reading.why);
  return reading.shape;
}

function training(change: Record<string, unknown> = {}): ModelTraining {
  return modelTrainingSchema.parse({
    kind: 'model',
    method: 'rs2',
    agents: [{ id: 'small', model: '/models/small', maxTokens: 512 }],
    problems: { benchmarkId: 'own' },
    ...change,
  });
}

const twoAgents = ['one', 'two'].map((id) => ({ id, model: `/models/${id}`, maxTokens: 512 }));

describe('the parameters of a model by its config.json', () => {
  // As transformers counts the models that it builds from these configurations.
  test.each([
    ['SmolLM2-135M', smol, 134_515_008],
    ['Qwen3-8B', qwen, 8_190_735_360],
    ['Qwen2.5-0.5B', qwen2, 494_032_768],
    [
      'every bias, own projection',
      {
        ...{ model_type: 'llama', hidden_size: 64, intermediate_size: 128, num_hidden_layers: 2 },
        ...{ num_attention_heads: 4, num_key_value_heads: 2, vocab_size: 100 },
        ...{ attention_bias: true, mlp_bias: true },
      },
      87_872,
    ],
  ])('%s', (_, config, parameters) => {
    expect(shapeOf(config).parameters).toBe(parameters);
  });

  test('of another kind, or damaged, they are unknown and it is said why', () => {
    const why = (text: string) => readModelShape(text);
    expect(why(JSON.stringify({ ...smol, model_type: 'gemma3' }))).toMatchObject({
      why: 'is of the kind "gemma3", whose parameters this plan cannot count',
    });
    expect(why(JSON.stringify({ ...smol, model_type: 'constructor' }))).toMatchObject({ kind: 'unknown' });
    expect(why(JSON.stringify({ ...smol, hidden_size: -1 }))).toMatchObject({
      why: 'has a config.json without a usable "hidden_size"',
    });
    expect(why('{')).toMatchObject({ why: 'has a config.json that is no JSON' });
  });
});

describe('memory of a learner', () => {
  const memoryOf = (config: object, change: Record<string, unknown>, device: 'gpu' | 'processor') =>
    learnerMemory(shapeOf(config), training(change), { maxTokens: 512, device, rows: 8 });

  test('full training: 16 bytes a parameter, and a frozen copy for the divergence', () => {
    const memory = memoryOf(smol, { lora: null }, 'processor');
    const n = 134_515_008;
    expect(memory).toMatchObject({ trained: n, weights: 4 * n, gradients: 4 * n, optimiser: 8 * n });
    expect(memory.frozenCopy).toBe(4 * n);
    const { objective } = training();
    const without = { lora: null, objective: { ...objective, kl: { ...objective.kl, coefficient: 0 } } };
    expect(memoryOf(smol, without, 'processor').frozenCopy).toBe(0);
  });

  test('an adapter of rank 16 has 16 parameters for each input and output of a linear layer', () => {
    // A layer: 576+576, 576+192, 576+192, 576+576, and three times 576+1,536.
    const widths = 1_152 + 768 + 768 + 1_152 + 3 * 2_112;
    const memory = memoryOf(smol, {}, 'processor');
    expect(memory.trained).toBe(16 * 30 * widths);
    expect(memory.weights).toBe(4 * (134_515_008 + memory.trained));
    expect(memory.frozenCopy).toBe(0);
  });

  test('activations: each layer’s input of a micro-batch, and one whole layer', () => {
    // 4,096 tokens: 32 answers of 512 tokens and their prompts are more than a micro-batch.
    expect(memoryOf(smol, {}, 'processor').activations).toBe(
      4_096 * (30 * 576 * 4 + (16 * 576 + 6 * 1_536) * 4),
    );
    // 8 rows of 512 + 1,024 tokens; keys and values of 30 layers of 3 heads of 64.
    expect(memoryOf(smol, {}, 'processor').keysAndValues).toBe(8 * 1_536 * 2 * 30 * 192 * 4);
  });

  test('of a learner of four processes each keeps a fourth, and what it gathers for a layer', () => {
    const spec = { lora: null, dtype: 'bfloat16' };
    const one = memoryOf(qwen, spec, 'gpu');
    const four = memoryOf(qwen, { ...spec, processes: 4 }, 'gpu');
    expect(four.weights).toBe(one.weights / 4);
    expect(four.optimiser).toBe(8_190_735_360 * 2);
    const layer = 4_096 * 2 * (4_096 + 1_024) + 3 * 4_096 * 12_288 + 2 * 4_096 + 2 * 128;
    expect(four.passCopies).toBe(2 * (2 * 151_936 * 4_096 + 2 * layer));
    expect(one.passCopies).toBe(2 * 8_190_735_360);
  });
});

describe('the work of a training', () => {
  test('alone in its trees: rounds of 8 trees of 8 nodes', () => {
    expect(trainingWork(training({ updates: 20, batch: 32 }), 40)).toMatchObject({
      learned: 640,
      rounds: 10,
      written: 640,
      treesPerProblem: 2,
      rows: 8,
      // 20 problems: 16 nodes, and 8 first attempts.
      evaluated: 20 * 16 + 20 * 8,
    });
  });

  test('two agents in shared trees need twice the rounds, and the team is evaluated as well', () => {
    const work = trainingWork(training({ method: 'heter-mars2', agents: twoAgents }), 40);
    expect(work).toMatchObject({ learned: 1_280, rounds: 20, written: 1_280, treesPerProblem: 4, rows: 4 });
    expect(work.evaluated).toBe(20 * 16 * 3 + 20 * 8 * 2);
  });

  test('first attempts of GRPO are written together; evaluations on the way count', () => {
    const evaluation = { problems: 20, nodes: 16, samples: 8, every: 5 };
    const work = trainingWork(training({ method: 'grpo', agents: twoAgents, evaluation }), 40);
    expect(work).toMatchObject({ rounds: 10, written: 1_280, treesPerProblem: 4, rows: 64 });
    // Before, and after 5, 10 and 15 updates; after 20 it is the final one.
    expect(work.evaluated).toBe(20 * 16 * 3 + 20 * 8 * 2 * 5);
  });

  test('without training only the evaluation is left', () => {
    expect(trainingWork(training({ method: 'base' }), 40)).toMatchObject({
      learned: 0,
      rounds: 0,
      written: 0,
    });
  });

  test('operations of an update for each parameter and token', () => {
    const { objective } = training();
    const without = { ...objective, kl: { ...objective.kl, coefficient: 0 } };
    expect(updateCost({ lora: null, objective })).toEqual({ scores: 2, perToken: 12 });
    expect(updateCost({ lora: null, objective: without })).toEqual({ scores: 1, perToken: 10 });
    // An adapter's reference is scored in any case, and frozen weights have no gradient.
    expect(updateCost({ lora: { rank: 8, alpha: 16 }, objective: without })).toEqual({
      scores: 2,
      perToken: 10,
    });
  });
});

describe('how long a training takes', () => {
  test('the range of a processor contains the arithmetic alone, at any of its speeds', () => {
    const spec = training({ evaluation: { problems: 0 } });
    const work = trainingWork(spec, 40);
    const agents = [{ shape: shapeOf(smol), maxTokens: 512 }];
    const { low, high } = secondsByDevice(agents, spec, work, { device: 'processor', cores: 2 });
    // Slow: 640 answers of 512 tokens, one after the other in 8 trees.
    const n = 134_515_008;
    const step = 30 * 2e-3 + (4 * n) / 8e9 + (8 * 2 * n) / 2e10;
    const slow = 80 * 512 * step + (640 * 1_024 * 2 * n) / 2e10 + (640 * 1_536 * 10 * n) / 2e10 + 640 * 0.5;
    expect(high).toBeCloseTo(slow, 6);
    expect(low).toBeGreaterThan((640 * (256 + 128) * 10 * n) / 1e11);
    expect(low).toBeLessThan(high / 10);
  });

  test('two agents share a processor, and have GPUs of their own', () => {
    const spec = training({ evaluation: { problems: 0 }, agents: twoAgents, method: 'rs2' });
    const alone = training({ evaluation: { problems: 0 }, method: 'rs2' });
    const agent = { shape: shapeOf(smol), maxTokens: 512 };
    const seconds = (count: number, device: 'gpu' | 'processor') => {
      const one = count === 1 ? alone : spec;
      const work = { ...trainingWork(one, 40) };
      const grading = work.written * 0.5;
      return secondsByDevice(Array(count).fill(agent), one, work, { device, cores: 2 }).high - grading;
    };
    expect(seconds(2, 'processor')).toBeCloseTo(2 * seconds(1, 'processor'), 6);
    expect(seconds(2, 'gpu')).toBeCloseTo(seconds(1, 'gpu'), 6);
  });

  const latest = [
    { agentId: 'small', key: 'tokens-per-second', value: 100 },
    { agentId: 'small', key: 'time-writing', value: 0.5 },
    { agentId: 'small', key: 'time-grading', value: 0.25 },
    { agentId: 'small', key: 'tokens', value: 200 },
    { agentId: 'small', key: 'tokens', value: 999, part: 'evaluation' as const },
  ];

  test('at the rate of an earlier training', () => {
    const spec = training({ evaluation: { problems: 10, nodes: 4, samples: 6 } });
    const rate = measuredRate({ name: 'Before', spec, latest });
    if (rate === null) throw new Error('There is a rate.');
    expect(rate).toMatchObject({ tokensPerSecond: 100, writing: 0.5, grading: 0.25, tokens: 200 });
    const seconds = (640 * 200) / 50 + ((100 * 200) / 100) * 1.5;
    const { low, high } = secondsByRate(spec, trainingWork(spec, 40), rate);
    expect([low, high]).toEqual([seconds / 1.5, seconds * 1.5]);
    // Twice the limit on tokens may be twice the answer.
    const longer = training({ ...spec, agents: [{ ...spec.agents[0], maxTokens: 1_024 }] });
    expect(secondsByRate(longer, trainingWork(longer, 40), rate).high).toBeCloseTo(high * 2, 9);
    expect(measuredRate({ name: 'No update', spec, latest: latest.slice(1) })).toBeNull();
  });

  test.each([
    [{ low: 600, high: 2_400 }, '10 to 40 minutes'],
    [{ low: 5_400, high: 32_400 }, '1.5 to 9 hours'],
    [{ low: 100_000, high: 900_000 }, '1.2 to 10 days'],
    [{ low: 1, high: 5 }, 'less than a minute'],
    [{ low: 60, high: 70 }, 'about 1 minute'],
  ])('%o as text: %s', (range, text) => {
    expect(rangeText(range)).toBe(text);
  });
});

describe('what a plan says', () => {
  const known: Known = {
    device: 'processor',
    cores: 2,
    deviceBytes: 8e9,
    shapes: [readModelShape(JSON.stringify(smol))],
    problems: 40,
    rate: null,
    gains: { passOne: 0.128, search: null },
  };

  test('hours and memory come first, then work, passes and the smallest gain', () => {
    const lines = expectation(training(), known);
    expect(lines[0]).toMatch(
      /^Takes [\d.]+ to [\d.]+ (minutes|hours): a wide guess, .* a processor with 2 cores\./,
    );
    expect(lines[1]).toMatch(/^Memory: about [\d.]+ GB of this machine's memory of the 8\.0 GB there\.$/);
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
      /20 held-out problems can show: 12\.8 points of Pass@1 with 8 answers a problem, none/,
    );
  });

  test('what is unknown is said: a model that is not there, a machine that was not asked', () => {
    const absent = expectation(training(), { ...known, shapes: [{ kind: 'unknown', why: 'is not there' }] });
    expect(absent.slice(0, 2)).toEqual([
      'How long it takes is unknown: a model could not be read.',
      'Memory of small is unknown: /models/small is not there.',
    ]);
    expect(expectation(training(), { ...known, shapes: null })[1]).toContain('until the machine is checked');
  });

  test('too little memory is a bad check, with the smallest change that helps', () => {
    const tight = { ...known, deviceBytes: 3e9 };
    expect(memoryCheck(training({ lora: null }), tight)).toMatchObject({
      state: 'bad',
      todo: 'Train adapters (--lora 16) instead of all weights.',
    });
    expect(expectation(training({ lora: null }), tight)[1]).toContain('too little. Train adapters');
    expect(memoryCheck(training(), known)).toMatchObject({ state: 'good', todo: null });
    expect(memoryCheck(training(), { ...known, deviceBytes: null })).toBeNull();
  });
});

test('the machine is asked about its cores, its memory and the models’ configurations', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "it's"));
  await writeFile(join(folder, "it's", 'config.json'), JSON.stringify(smol));
  await writeFile(join(folder, 'small.gguf'), 'GGUF');
  const agents = ["it's", 'small.gguf', 'absent', '.'].map((name, at) => ({
    ...{ id: `a${at}`, model: join(folder, name), maxTokens: 8, extraction: 'whole' as const },
  }));
  const probe = readPlanProbe(execFileSync('/bin/sh', ['-c', planScript({ agents })], { encoding: 'utf8' }), {
    agents,
  });
  expect(probe.cores).toBeGreaterThan(0);
  expect(probe.shapes[0]).toMatchObject({ kind: 'known', shape: { parameters: 134_515_008 } });
  expect(probe.shapes.slice(1).map((reading) => (reading.kind === 'unknown' ? reading.why : ''))).toEqual([
    'is a file (GGUF), and a plan reads only the config.json of a folder',
    'is not there',
    'is a folder without a config.json',
  ]);
  expect(readPlanProbe('', { agents }).shapes).toHaveLength(4);
});
