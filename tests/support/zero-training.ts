import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ModelInput, PROBLEMS_FILE } from '../../main/trainer/models/model-input';
import { modelTrainingSchema, type Problem } from '../../preload/contract';
import { tinyModel } from './learner';
import { temporaryFolder } from './temporary-folder';
import { warmPython } from './warm-python';

const limits = { cpuSeconds: 2, wallSeconds: 10, memoryBytes: 2 ** 29, processes: 16, outputBytes: 2 ** 20 };
const test = (input: number, expected: number) =>
  ({ kind: 'stdin', input: `${input}\n`, expected: `${expected}\n` }) as const;

/** Four of the twelve pieces of Python in the tiny model's vocabulary solve it; it must learn which. */
const problem = (id: string): Problem => ({
  id,
  title: id,
  statement: 'Read zero and print zero.',
  entryPoint: null,
  starterCode: '',
  difficulty: null,
  date: null,
  skills: [],
  publicTests: [test(0, 0)],
  privateTests: [test(0, 0)],
  canonicalProgram: null,
});

/**
 * A training of two tiny models on a problem that they solve now and then, with its problems in a folder of its own.
 * `change`: fields of its spec.
 */
export async function zeroTraining(
  change: Record<string, unknown>,
): Promise<{ readonly input: ModelInput; readonly out: string }> {
  const out = await temporaryFolder();
  const lines = [
    {
      ...{ kind: 'training-problems', version: 1, benchmarkId: 'own', split: 'held out', limits },
      rules: 'plain',
    },
    ...['a', 'b'].map((id) => ({ part: 'training', problem: problem(id) })),
    { part: 'held-out', problem: { ...problem('c'), statement: 'Print the zero that is read.' } },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  await writeFile(join(out, PROBLEMS_FILE), text);
  const model = await tinyModel(1);
  const spec = modelTrainingSchema.parse({
    ...{ kind: 'model', method: 'heter-mars2', lora: null, problems: { benchmarkId: 'own' } },
    agents: ['first', 'second'].map((id) => ({ id, model, maxTokens: 1, extraction: 'whole' })),
    ...{ python: warmPython, device: 'cpu', threads: 1, updates: 12, batch: 32, treesPerRound: 8 },
    ...{ nodes: 8, rate: 0.01, evaluation: { problems: 1, nodes: 4, samples: 16 } },
    ...change,
  });
  const problemsDigest = createHash('sha256').update(text).digest('hex');
  return { input: { spec, agents: spec.agents.map(({ id }) => ({ id, name: id })), problemsDigest }, out };
}
