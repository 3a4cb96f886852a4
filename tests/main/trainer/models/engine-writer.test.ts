import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EngineSettings } from '../../../../main/trainer/models/engines/engine-command';
import {
  type EngineWriterOptions,
  openEngineWriter,
} from '../../../../main/trainer/models/engines/engine-writer';
import { openPublisher } from '../../../../main/trainer/models/engines/publisher';
import type { Writer } from '../../../../main/trainer/models/engines/writer';
import { startLearner } from '../../../../main/trainer/models/learner-process';
import { modelPolicy } from '../../../../main/trainer/models/model-policy';
import type { TrainerError } from '../../../../main/trainer/trainer-error';
import { scriptedEngine, scriptedModelFile, scriptedPython } from '../../../support/scripted-learners';
import { temporaryFolder } from '../../../support/temporary-folder';

type Ways = Pick<EngineWriterOptions['settings'], 'engine' | 'publish'>;
type Entry = {
  readonly kind: string;
  readonly count?: number;
  readonly updates?: number;
  readonly listens?: string;
};

const PROMPT = Int32Array.from({ length: 20 }, (_, i) => 100 + i);
const SAMPLING = { maxTokens: 50, temperature: 1, topP: 1, topK: -1 };

/** A learner and an engine, both stand-ins, after `updates` updates with a publication each. */
async function published(
  { engine, publish }: Ways,
  { fault = 'none', step = 0.05, updates = 2, limitMs = 10_000 } = {},
): Promise<{
  values: readonly Readonly<Record<string, number>>[];
  journal: readonly Entry[];
  socketMode: number;
}> {
  const out = await temporaryFolder();
  const isAdapter = publish === 'adapter';
  const model = await scriptedModelFile(out, 'first', { step });
  const learner = await startLearner(
    {
      ...{
        agentId: 'first',
        model,
        lora: null,
        needsReference: false,
        seed: 1,
        device: 'cpu',
        dtype: 'float32',
      },
      ...{ processes: 1, threads: 1, visibleGpus: null },
    },
    { python: await scriptedPython(out), program: out, out, onLine: () => undefined },
  );
  let writer: Writer | undefined;
  try {
    writer = await openEngineWriter({
      learner: learner.client,
      endIds: [2],
      host: { agentId: 'first', program: out, visibleGpus: null, onLine: () => undefined, limitMs },
      settings: {
        ...{ engine, publish, memoryShare: 0.45, model, contextTokens: 1_000, dtype: 'float32', seed: 1 },
        ...{ adapter: isAdapter ? { rank: 4, targets: ['q_proj'] } : null, gpus: 0, threads: 1 },
        python: await scriptedEngine(out, 'first', fault),
      },
    });
    const policy = modelPolicy({ id: 'first', client: learner.client, writer, hasReference: false });
    const entries = async (): Promise<Entry[]> =>
      (await readFile(join(out, 'engine.jsonl'), 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    const { listens = '' } = (await entries()).find(({ kind }) => kind === 'started') ?? {};
    const socketMode = listens === 'port' ? 0 : (await stat(dirname(listens))).mode & 0o777;
    const values: Readonly<Record<string, number>>[] = [];
    for (let update = 1; update <= updates; update++) {
      const signal = new AbortController().signal;
      const samples = await Promise.all(
        [1, 2, 3].map(async (seed) => {
          const written = await (writer as Writer).sample(PROMPT, { ...SAMPLING, seed }, signal);
          return { prompt: PROMPT, ...written };
        }),
      );
      await policy.score(samples, 'now');
      await policy.backward(
        samples,
        samples.map(({ tokens }) => new Float64Array(tokens.length).fill(1)),
      );
      await policy.step(1);
      values.push(await policy.publish());
    }
    return { values, journal: await entries(), socketMode };
  } finally {
    await writer?.dispose();
    await learner.dispose();
  }
}

const WAYS: readonly Ways[] = [
  { engine: 'vllm', publish: 'restart' },
  { engine: 'vllm', publish: 'reload' },
  { engine: 'vllm', publish: 'adapter' },
  { engine: 'sglang', publish: 'restart' },
  { engine: 'sglang', publish: 'reload' },
];

describe('an engine that writes what a learner trains (stand-ins of both)', () => {
  test.each(WAYS)(
    '$engine, $publish: each publication is proven, by large and by tiny updates',
    async (way) => {
      for (const step of [0.05, 1e-5]) {
        const { values } = await published(way, { step });
        expect(values).toHaveLength(2);
        for (const value of values) {
          expect(value['publish-proven']).toBe(1);
          expect(value['publish-slope']).toBeCloseTo(1, 1);
        }
      }
    },
  );

  test('a reload on processors is refused with tied embeddings: vLLM would keep the old output matrix', async () => {
    const model = await temporaryFolder();
    const host = { agentId: 'first', program: model, visibleGpus: null, onLine: () => undefined };
    const opened = async (isTied: boolean, gpus: number) => {
      await writeFile(join(model, 'config.json'), JSON.stringify({ tie_word_embeddings: isTied }));
      const settings: EngineSettings = {
        engine: 'vllm',
        publish: 'reload',
        dtype: 'float32',
        adapter: null,
        ...{ memoryShare: 0.45, model, contextTokens: 100, seed: 1 },
        ...{ gpus, threads: 1, python: '/nowhere/python' },
      };
      return openPublisher({ settings, host, endIds: [2] }).catch(
        (error: TrainerError) => error.refusal.message,
      );
    };
    expect(await opened(true, 0)).toMatch(/keeps the old output matrix/);
    expect(await opened(false, 0)).not.toMatch(/keeps the old output matrix/);
    expect(await opened(true, 1)).not.toMatch(/keeps the old output matrix/);
  });

  const RELOAD = { engine: 'vllm', publish: 'reload' } as const;
  const ADAPTER = { engine: 'vllm', publish: 'adapter' } as const;
  const SGLANG = { engine: 'sglang', publish: 'reload' } as const;
  test.each<readonly [string, Ways, string, RegExp]>([
    [
      'trap 9: a cache of the old weights',
      RELOAD,
      'stale-cache',
      /took 16 tokens from a cache of the old weights/,
    ],
    ['trap 9: a cache that is not dropped', RELOAD, 'cache-kept', /did not drop its prefix cache/],
    ['trap 10: a lost reload', RELOAD, 'reload-lost', /still answers with other weights/],
    ['trap 10: a lost reload', SGLANG, 'reload-lost', /still answers with other weights/],
    ['trap 10: damaged weights', RELOAD, 'garbage', /log-probabilities 7\.\d+ nats a token from the learner/],
    ['trap 10: an adapter of another name', ADAPTER, 'adapter-reused', /still answers with other weights/],
    ['trap 10: the adapter of another agent', ADAPTER, 'wrong-adapter', /still answers with other weights/],
    [
      'trap 10: weights under an old label',
      SGLANG,
      'old-label',
      /answered with the weights default after published-/,
    ],
    ['trap 10: weights that are refused', SGLANG, 'refuses', /did not take the weights .*no such folder/],
    ['trap 6: processed log-probabilities', RELOAD, 'processed', /not the model’s own/],
    ['trap 5: another prompt', RELOAD, 'retokenised', /answered another prompt/],
    ['trap 19: an answer that breaks off', RELOAD, 'aborts', /broke off an answer \(abort\)/],
    ['trap 22: left paused', RELOAD, 'paused', /stays paused/],
    ['trap 22: paused, and does not say so', RELOAD, 'silent', /did not answer \/v1\/completions within 1 s/],
    ['an engine that ends', RELOAD, 'dies', /it has ended: exit code 3/],
  ])('%s is caught and named', async (_, way, fault, message) => {
    const limitMs = fault === 'silent' ? 1_000 : 10_000;
    // So small an update that no tolerance would notice that it is missing.
    await expect(published(way, { fault, step: 1e-5, limitMs })).rejects.toThrow(message);
  });

  test('trap 21: adapters do not pile up', async () => {
    const { journal } = await published(ADAPTER, { updates: 12 });
    const counts = journal.flatMap(({ kind, count }) => (kind === 'adapters' ? [count] : []));
    expect(counts).toHaveLength(12);
    expect(Math.max(...(counts as number[]))).toBe(2);
  });

  test('trap 25: vLLM listens on a socket that only its user reaches, SGLang asks for a key', async () => {
    const { journal, socketMode } = await published(RELOAD, { updates: 1 });
    expect(journal[0]?.listens).toMatch(/\.sock$/);
    expect(socketMode).toBe(0o700);
    // Its stand-in answers 401 without the key of a file that only its user reads, and no argument has it.
    const sglang = await published(SGLANG, { updates: 1 });
    expect(JSON.stringify(sglang.journal)).not.toMatch(/[0-9a-f]{48}/);
  });

  test('trap 20: later answers are by the published weights', async () => {
    const { journal } = await published(ADAPTER, { updates: 3 });
    const versions = journal.flatMap(({ kind, updates }) => (kind === 'answer' ? [updates] : []));
    // Three answers before each update, and one of the check behind it.
    expect(versions).toEqual([0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3]);
  });
});
