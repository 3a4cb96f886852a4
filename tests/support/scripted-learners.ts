import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ok } from '../../main/base';
import type { Grader } from '../../main/grading';
import { PROBLEMS_FILE } from '../../main/trainer/models/model-input';
import type { ModelTrainerOptions } from '../../main/trainer/models/train-model';
import { modelTrainingSchema, type Problem } from '../../preload/contract';
import { temporaryFolder } from './temporary-folder';

/** A model that learner-stand-in.mjs plays. */
export type ScriptedModel = {
  /** First token of each of its answers. */
  readonly mark: number;
  /** One is chosen by the request's seed. */
  readonly answers: readonly { readonly text: string; readonly end: 'stop' | 'length' }[];
  /** Log-probability of every token before training. */
  readonly score: number;
  /** By how much it falls with each update. */
  readonly step: number;
  /** Added to what it reports of every other token while it writes. */
  readonly gap: number;
  /** The least that an answer takes; more by chance. */
  readonly delayMs: number;
};

/** As learner-stand-in.mjs writes it. `tokens` of data: prompt and answer. */
export type JournalEntry = BeginEntry | EndEntry | AnswerEntry | ScoreEntry | GradientEntry | LoadedEntry;

type BeginEntry = { readonly kind: 'begin'; readonly operation: string };
type EndEntry = { readonly kind: 'end'; readonly operation: string };
export type AnswerEntry = {
  readonly kind: 'answer';
  readonly prompt: readonly number[];
  readonly tokens: readonly number[];
  readonly text: string;
  readonly end: 'stop' | 'length';
  /** Updates of the weights that wrote it. */
  readonly version: number;
  readonly given: Readonly<Record<string, number>>;
};
type Data = readonly { readonly tokens: readonly number[]; readonly weights: readonly number[] }[];
type ScoreEntry = { readonly kind: 'score'; readonly data: Data; readonly version: number };
type GradientEntry = { readonly kind: 'gradient'; readonly data: Data; readonly version: number };
type LoadedEntry = { readonly kind: 'loaded'; readonly version: number };

/** An answer with this word passes all tests. */
export const RIGHT = 'right';

const problem = (id: string): Problem => ({
  id,
  title: id,
  statement: `Print ${id}.`,
  entryPoint: null,
  starterCode: '',
  difficulty: null,
  date: null,
  skills: [],
  publicTests: [{ kind: 'stdin', input: '', expected: id }],
  privateTests: [{ kind: 'stdin', input: '', expected: id }],
  canonicalProgram: null,
});

const grader: Pick<Grader, 'grade' | 'health'> = {
  health: () => ({ kind: 'good' }),
  grade: async ({ program, tests }) => {
    const verdict = program?.includes(RIGHT) ? 'passed' : 'wrong-answer';
    return ok({
      verdict,
      results: tests.map(() => ({ verdict, actual: null, error: null, cpuMs: 1, wallMs: 1 })),
    });
  },
};

/** A whole model training whose learners are stand-ins, in a folder of its own. `change`: fields of its spec. */
export async function scriptedTraining(
  models: Readonly<Record<string, Partial<ScriptedModel>>>,
  change: Record<string, unknown> = {},
): Promise<ModelTrainerOptions> {
  const out = await temporaryFolder();
  const python = await scriptedPython(out);
  const lines = [
    {
      ...{ kind: 'training-problems', version: 1, benchmarkId: 'own', split: 'held out', rules: 'plain' },
      limits: { cpuSeconds: 2, wallSeconds: 10, memoryBytes: 2 ** 29, processes: 16, outputBytes: 2 ** 20 },
    },
    ...['a', 'b'].map((id) => ({ part: 'training', problem: problem(id) })),
    { part: 'held-out', problem: problem('c') },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  await writeFile(join(out, PROBLEMS_FILE), text);
  const agents = await Promise.all(
    Object.entries(models).map(async ([id, model], i) => {
      const path = await scriptedModelFile(out, id, { mark: 1_000 * (i + 1), ...model });
      return { id, model: path, maxTokens: 100, extraction: 'whole' };
    }),
  );
  const spec = modelTrainingSchema.parse({
    ...{ kind: 'model', method: 'heter-mars2', agents, problems: { benchmarkId: 'own' }, python },
    ...{ updates: 3, batch: 8, treesPerRound: 4, nodes: 6, evaluation: { problems: 0 } },
    ...change,
  });
  return {
    input: {
      spec,
      agents: spec.agents.map(({ id }) => ({ id, name: id })),
      problemsDigest: createHash('sha256').update(text).digest('hex'),
    },
    out,
    learnerProgram: out,
    grader,
    now: Date.now,
    stop: { aborted: false },
    signal: new AbortController().signal,
    saveEveryMs: 0,
    onLearnerLine: () => undefined,
  };
}

/** A program in the folder that takes the arguments of a learner's Python, and is the stand-in. */
export async function scriptedPython(folder: string): Promise<string> {
  const python = join(folder, 'python');
  const program = resolve('tests/support/learner-stand-in.mjs');
  await writeFile(python, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, { mode: 0o700 });
  return python;
}

/** A program in the folder that takes the arguments of an engine's Python; `fault` and journal: see engine-stand-in.mjs. */
export async function scriptedEngine(folder: string, id: string, fault: string): Promise<string> {
  const python = join(folder, `engine-${id}`);
  const program = resolve('tests/support/engine-stand-in.mjs');
  const own = `--fault ${fault} --model-file "${join(folder, `${id}.json`)}" --journal "${join(folder, 'engine.jsonl')}"`;
  await writeFile(python, `#!/bin/sh\nexec "${process.execPath}" "${program}" ${own} "$@"\n`, {
    mode: 0o700,
  });
  return python;
}

/** Writes a model for the stand-in into the folder. */
export async function scriptedModelFile(
  folder: string,
  id: string,
  model: Partial<ScriptedModel> = {},
): Promise<string> {
  const path = join(folder, `${id}.json`);
  await writeFile(path, JSON.stringify({ ...scriptedModel(1_000), ...model }));
  return path;
}

/** Half of its answers are right. */
function scriptedModel(mark: number): ScriptedModel {
  const answers = [RIGHT, 'wrong', RIGHT, 'false'].map((text) => ({ text, end: 'stop' as const }));
  return { mark, answers, score: -0.5, step: 0.05, gap: 0, delayMs: 0 };
}

/** What was asked of a learner, in order; of earlier sessions too. */
export async function journalOf(out: string, agentId: string): Promise<readonly JournalEntry[]> {
  const text = await readFile(join(out, 'learners', agentId, 'journal.jsonl'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JournalEntry);
}

/** Entries of one kind, in order. */
export function entriesOf<K extends JournalEntry['kind']>(
  journal: readonly JournalEntry[],
  kind: K,
): readonly Extract<JournalEntry, { kind: K }>[] {
  return journal.filter((entry): entry is Extract<JournalEntry, { kind: K }> => entry.kind === kind);
}
