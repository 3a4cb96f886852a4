import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { trainModel } from '../../../../main/trainer/models/train-model';
import { PLAIN_OBJECTIVE } from '../../../../preload/contract/plans';
import {
  type AnswerEntry,
  entriesOf,
  type JournalEntry,
  journalOf,
  RIGHT,
  scriptedTraining,
} from '../../../support/scripted-learners';

/** The stand-in's end token. */
const END = 2;
const BOTH = { first: {}, second: {} };

type Line = {
  readonly agent: string | null;
  readonly step: number;
  readonly values: Readonly<Record<string, number>>;
};

async function linesOf(out: string, name: 'metrics' | 'rollouts' = 'metrics'): Promise<readonly Line[]> {
  const text = await readFile(join(out, `${name}.jsonl`), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/**
 * Each sample that a gradient was made of, with the answer that it is; `kind` score: that an update looked at, as a sample
 * without an advantage has no gradient. Fails for one that is no answer.
 */
function learned(journal: readonly JournalEntry[], kind: 'gradient' | 'score' = 'gradient') {
  const answers = new Map(
    entriesOf(journal, 'answer').map((answer) => [[...answer.prompt, ...answer.tokens].join(' '), answer]),
  );
  return entriesOf(journal, kind).flatMap(({ data, version }) =>
    data.map(({ tokens, weights }) => {
      const answer = answers.get(tokens.join(' '));
      expect(answer, `learned ${tokens}, which was never written`).toBeDefined();
      return { answer: answer as AnswerEntry, weights, version };
    }),
  );
}

/** Where the second session begins. */
function loadedAt(journal: readonly JournalEntry[]): number {
  return journal.findIndex(({ kind }) => kind === 'loaded');
}

/** Trains until its first state is saved, stops there, and goes on to the end. */
async function trainInTwoSessions(options: Awaited<ReturnType<typeof scriptedTraining>>): Promise<void> {
  const stop = { aborted: false };
  const onProgress = (): void => {
    stop.aborted = true;
  };
  expect(await trainModel({ ...options, stop, onProgress })).toBe('stopped');
  expect(await trainModel(options)).toBe('done');
}

test('trap 5: what is learned are the very ids that were written, also of samples that waited in a saved state', async () => {
  // More samples than a round gives: they are in the state between two sessions.
  const options = await scriptedTraining(BOTH, { batch: 20 });
  await trainInTwoSessions(options);
  for (const id of ['first', 'second']) {
    const journal = await journalOf(options.out, id);
    const samples = learned(journal);
    expect(samples.length).toBeGreaterThan(20);
    const [before, after] = [learned(journal.slice(0, loadedAt(journal))), samples];
    expect(after.length).toBeGreaterThan(before.length);
    const waited = entriesOf(journal.slice(0, loadedAt(journal)), 'answer').filter(
      (answer) =>
        before.every((sample) => sample.answer !== answer) &&
        after.some((sample) => sample.answer === answer),
    );
    expect(waited.length).toBeGreaterThan(0);
    // Scored as well, not only learned.
    const scored = entriesOf(journal, 'score').flatMap(({ data }) => data);
    const known = entriesOf(journal, 'answer').map(({ prompt, tokens }) => [...prompt, ...tokens].join(' '));
    for (const { tokens } of scored) expect(known).toContain(tokens.join(' '));
  }
});

test('trap 6: what a writer reports of its answers is compared with the learner’s own scores, as a curve', async () => {
  // 0.1 too much on every other token, as by a writer that reports its distribution after a temperature.
  const gap = async (of: number): Promise<readonly number[]> => {
    const options = await scriptedTraining({ only: { gap: of } }, { method: 'rs2' });
    await trainModel(options);
    return (await linesOf(options.out)).map(({ values }) => values['logp-gap'] as number);
  };
  for (const value of await gap(0)) expect(value).toBeLessThan(1e-6);
  for (const value of await gap(0.1)) expect(value).toBeCloseTo(0.05, 2);
});

test('trap 7: a learner is asked for its own distribution in training, not in the evaluation', async () => {
  const evaluation = { problems: 1, nodes: 2, samples: 2, sampling: { temperature: 0.25, topK: 7 } };
  const options = await scriptedTraining({ only: {} }, { method: 'rs2', evaluation });
  await trainModel(options);
  const journal = await journalOf(options.out, 'only');
  const samples = learned(journal);
  expect(samples.length).toBeGreaterThan(0);
  for (const { answer } of samples)
    expect(answer.given).toMatchObject({ temperature: 1, top_p: 1, top_k: -1 });
  const others = entriesOf(journal, 'answer').filter(({ given }) => given.temperature !== 1);
  expect(others.length).toBeGreaterThanOrEqual(4);
  for (const { given } of others) expect(given).toMatchObject({ temperature: 0.25, top_k: 7 });
});

test.each(['heter-mars2', 'mixed-groups', 'grpo'])(
  'trap 15: two agents never get each other’s samples, states or files (%s)',
  async (method) => {
    const answersOf = (text: string) =>
      [RIGHT, 'no'].map((word) => ({ text: `${text} ${word}`, end: 'stop' }) as const);
    const options = await scriptedTraining(
      { first: { answers: answersOf('1st') }, second: { answers: answersOf('2nd') } },
      { method, batch: 10 },
    );
    await trainInTwoSessions(options);
    const { out } = options;
    const lines = await linesOf(out);
    for (const [id, mark] of [
      ['first', 1_000],
      ['second', 2_000],
    ] as const) {
      const journal = await journalOf(out, id);
      expect(entriesOf(journal, 'loaded')).toHaveLength(1);
      for (const { answer } of learned(journal)) expect(answer.tokens[0]).toBe(mark);
      expect(lines.filter(({ agent }) => agent === id).map(({ step }) => step)).toEqual([1, 2, 3]);
      const checkpoint = join(out, 'checkpoints', `${id}-000003`, 'mark.json');
      expect(JSON.parse(await readFile(checkpoint, 'utf8'))).toEqual({ mark, updates: 3 });
    }
    const rollouts = (await linesOf(out, 'rollouts')) as unknown as { agentId: string; answer: string }[];
    expect(new Set(rollouts.map(({ agentId }) => agentId)).size).toBe(2);
    for (const { agentId, answer } of rollouts)
      expect(answer.slice(0, 3)).toBe(agentId === 'first' ? '1st' : '2nd');
    expect((await readdir(join(out, 'learners'))).sort()).toEqual(['first', 'second']);
  },
);

describe('trap 19: how an answer ended', () => {
  const answers = [
    { text: RIGHT, end: 'stop' },
    { text: 'wrong', end: 'stop' },
    { text: RIGHT, end: 'length' },
    { text: 'wrong', end: 'length' },
  ] as const;

  test('by its own end or cut: graded and learned alike, the end token only where it was written, the cut counted', async () => {
    // Without a divergence each weight is the advantage's alone.
    const objective = { ...PLAIN_OBJECTIVE, kl: { estimator: 'k3', coefficient: 0 } };
    const options = await scriptedTraining(
      { only: { answers } },
      { method: 'grpo', nodes: 8, batch: 16, updates: 2, objective },
    );
    await trainModel(options);
    const samples = learned(await journalOf(options.out, 'only'));
    const seen = new Set<string>();
    for (const { answer, weights } of samples) {
      const { text, end, tokens, prompt } = answer;
      expect(tokens.at(-1) === END).toBe(end === 'stop');
      const own = weights.slice(prompt.length - 1);
      expect(own).toHaveLength(tokens.length);
      // Up where all tests pass, down where not, on every token and so on the last.
      for (const weight of own) expect(Math.sign(weight)).toBe(text === RIGHT ? 1 : -1);
      expect(weights.slice(0, prompt.length - 1).every((weight) => weight === 0)).toBe(true);
      seen.add(`${text} ${end}`);
    }
    expect(seen.size).toBe(4);
    for (const { values, step } of await linesOf(options.out)) {
      const batch = samples.filter(({ version }) => version === step - 1);
      const cut = batch.filter(({ answer }) => answer.end === 'length').length;
      expect(values['cut-answers']).toBeCloseTo(cut / batch.length, 9);
      expect(values['cut-answers']).toBeGreaterThan(0);
    }
  });

  test('cancelled in its round: what was written there is not learned', async () => {
    const cancel = new AbortController();
    const options = await scriptedTraining(
      { only: { answers, delayMs: 20 } },
      { method: 'rs2', treesPerRound: 2, batch: 12 },
    );
    // A round is 12 answers: three of the second one have been written.
    let written = 0;
    const onLearnerLine = (): void => {
      written += 1;
      if (written === 15) cancel.abort();
    };
    expect(await trainModel({ ...options, signal: cancel.signal, onLearnerLine })).toBe('stopped');
    const first = await journalOf(options.out, 'only');
    const cancelled = entriesOf(first, 'answer').slice(12);
    expect(cancelled.length).toBeGreaterThanOrEqual(3);
    expect(await trainModel(options)).toBe('done');
    const samples = learned(await journalOf(options.out, 'only'));
    expect(samples.length).toBeGreaterThan(12);
    const used = samples.map(({ answer }) => answer.tokens);
    for (const { tokens } of cancelled) expect(used).not.toContainEqual(tokens);
  });
});

// 3 samples a round. Of batches of 10, 2 are left over and too old 3 rounds later; of 7, all are used by the second round.
test.each([
  { batch: 10, dropped: 6, late: false },
  { batch: 7, dropped: 0, late: true },
])(
  'trap 20: no sample is learned from more than 2 rounds after its agent’s weights changed, and those left out are counted (batches of $batch)',
  async ({ batch, dropped, late }) => {
    const options = await scriptedTraining(
      { only: {} },
      { method: 'rs2', nodes: 3, treesPerRound: 1, batch, updates: 4 },
    );
    await trainModel(options);
    const journal = await journalOf(options.out, 'only');
    const answers = entriesOf(journal, 'answer');
    const roundOf = new Map(answers.map((answer, i) => [answer.tokens.join(' '), Math.floor(i / 3) + 1]));
    const rounds = (await linesOf(options.out)) as unknown as { round: number; step: number }[];
    const learnedIn = new Map(rounds.map(({ round, step }) => [step, round]));
    const samples = learned(journal, 'score');
    expect(samples.some(({ answer, version }) => answer.version !== version)).toBe(late);
    for (const { answer, version } of samples) {
      if (answer.version === version) continue;
      const changed = learnedIn.get(answer.version + 1) as number;
      expect((learnedIn.get(version + 1) as number) - changed).toBeLessThanOrEqual(2);
    }
    const used = new Set(samples.map(({ answer }) => answer.tokens.join(' ')));
    const last = Math.max(...learnedIn.values());
    const left = [...roundOf].filter(([tokens, round]) => round < last - 2 && !used.has(tokens));
    const counted = (await linesOf(options.out)).map(({ values }) => values['stale-samples'] as number);
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(left.length);
    expect(left.length).toBe(dropped);
  },
);

test.each(['heter-mars2', 'grpo'])(
  'what the grader itself cannot judge is no wrong answer: not learned, not evaluated, counted, and replaced (%s)',
  async (method) => {
    const answers = [RIGHT, RIGHT, RIGHT, 'unjudged public', 'unjudged private'].map((text) => ({
      text,
      end: 'stop' as const,
    }));
    const options = await scriptedTraining(
      { only: { answers } },
      { method, batch: 12, updates: 2, evaluation: { problems: 1, nodes: 6, samples: 8 } },
    );
    const grader: typeof options.grader = {
      health: options.grader.health,
      grade: async (request) => {
        const part = request.stopAtFirstFailure ? 'private' : 'public';
        const isFault = request.program?.includes(`unjudged ${part}`);
        const isRight = isFault || request.program?.includes('unjudged');
        const program = isRight ? RIGHT : request.program;
        const graded = await options.grader.grade({ ...request, program });
        if (!isFault || !graded.ok) return graded;
        const verdict = 'grader-fault' as const;
        const results = graded.value.results.map((result) => ({ ...result, verdict }));
        return { ok: true, value: { verdict, results } };
      },
    };
    expect(await trainModel({ ...options, grader })).toBe('done');
    const journal = await journalOf(options.out, 'only');
    const learnedTexts = learned(journal, 'score').map(({ answer }) => answer.text);
    expect([...new Set(learnedTexts)]).toEqual([RIGHT]);
    const updates = (await linesOf(options.out)).filter(({ values }) => 'reward' in values);
    expect(updates.map(({ values }) => values.reward)).toEqual(updates.map(() => 1));
    // Updates of one round tell the same count.
    const byRound = new Map(
      updates.map((line) => [(line as Line & { round: number }).round, line.values['unjudged-samples'] ?? 0]),
    );
    const trained = journal.slice(
      0,
      journal.findLastIndex(({ kind }) => kind === 'score'),
    );
    const left = entriesOf(trained, 'answer').filter(({ text }) => text !== RIGHT);
    expect(left.length).toBeGreaterThan(0);
    expect([...byRound.values()].reduce((sum, count) => sum + count, 0)).toBe(left.length);
    const { teams } = JSON.parse(await readFile(join(options.out, 'evaluation.json'), 'utf8'));
    expect(teams).toMatchObject([
      { problems: [{ samples: [{ count: 8, passed: 8 }], chosenPasses: true, somePasses: true }] },
    ]);
  },
);

test.each(['heter-mars2', 'grpo', 'rs2'])(
  'trap 27: a learner is never asked to write while it learns, saves or loads (%s)',
  async (method) => {
    const evaluation = { problems: 1, nodes: 3, samples: 2, every: 1 };
    const options = await scriptedTraining(BOTH, { method, evaluation });
    await trainInTwoSessions(options);
    for (const id of ['first', 'second']) {
      const running: string[] = [];
      let together = 0;
      for (const entry of await journalOf(options.out, id)) {
        if (entry.kind === 'end') running.splice(running.indexOf(entry.operation), 1);
        if (entry.kind !== 'begin') continue;
        running.push(entry.operation);
        const writes = running.filter((operation) => operation === 'asample').length;
        const changes = running.filter((operation) => !['asample', 'render'].includes(operation));
        together = Math.max(together, writes);
        expect(changes.length === 0 || running.length === 1, running.join(', ')).toBe(true);
      }
      // Otherwise the order of requests would prove nothing.
      expect(together).toBeGreaterThan(1);
    }
  },
);
