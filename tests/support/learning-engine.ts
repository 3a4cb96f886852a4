import { setMaxListeners } from 'node:events';
import { openEngineWriter } from '../../main/trainer/models/engines/engine-writer';
import type { PublishValues, Writer } from '../../main/trainer/models/engines/writer';
import { type RunningLearner, startLearner } from '../../main/trainer/models/learner-process';
import { modelPolicy } from '../../main/trainer/models/model-policy';
import { learnerProgram, tinyModel } from './learner';
import { temporaryFolder } from './temporary-folder';
import { warmPython } from './warm-python';

/** Python with vLLM for processors, as `npm test` sets it up; null: tests with it are left out. */
export const vllmPython: string | null = process.env.MARS2_VLLM_PYTHON ?? null;

export type LearningEngine = {
  /** One update at this rate on four answers of the engine. */
  readonly update: (rate: number) => Promise<{
    /** Largest distance between a log-probability that the engine reported and the learner's, in nats. */
    readonly gap: number;
    /** Last tokens of the answers that ended by themselves. */
    readonly ends: readonly number[];
  }>;
  readonly publish: () => Promise<PublishValues>;
  /** Writes so many answers at once to prompts of so many tokens; gives how many came. */
  readonly writeTogether: (answers: number, promptTokens: number) => Promise<number>;
  /** From now on the engine is given the former weights in the place of new ones. */
  readonly loseWeights: () => void;
  readonly endIds: readonly number[];
  readonly dispose: () => Promise<void>;
};

/** A learner of the tiny model, and a real vLLM on processors that writes for it. */
export async function openLearningEngine(options: {
  readonly publish: 'restart' | 'reload' | 'adapter';
}): Promise<LearningEngine> {
  const { publish } = options;
  const out = await temporaryFolder();
  const model = await tinyModel(1);
  const lora = publish === 'adapter' ? { rank: 4, alpha: 8 } : null;
  const learner = await startLearner(
    {
      ...{ agentId: 'first', model, lora, needsReference: false, seed: 1, device: 'cpu', dtype: 'float32' },
      ...{ processes: 1, threads: 1, visibleGpus: null },
    },
    { python: warmPython as string, program: learnerProgram, out, onLine: () => undefined },
  );
  try {
    return await withEngine(learner, model, publish);
  } catch (error) {
    await learner.dispose();
    throw error;
  }
}

async function withEngine(
  { client, dispose }: RunningLearner,
  model: string,
  publish: 'restart' | 'reload' | 'adapter',
): Promise<LearningEngine> {
  const { special, lora } = await client.capabilities();
  let [isLost, last] = [false, ''];
  const writer: Writer = await openEngineWriter({
    learner: {
      score: (...asked) => client.score(...asked),
      export: async (name) => {
        if (!isLost) last = await client.export(name);
        return last;
      },
    },
    endIds: special.eos,
    host: { agentId: 'first', program: learnerProgram, visibleGpus: null, onLine: () => undefined },
    settings: {
      ...{ engine: 'vllm', python: vllmPython as string, publish, memoryShare: 0.45, model },
      ...{ adapter: lora, contextTokens: 256, dtype: 'float32', seed: 1, gpus: 0, threads: 1 },
    },
  });
  const policy = modelPolicy({ id: 'first', client, writer, hasReference: false });
  const prompt = await client.render([{ role: 'user', content: 'Print one.' }], {});
  const { signal } = new AbortController();
  // Each answer that is being written listens, as in a training (`runConcurrently`).
  setMaxListeners(0, signal);
  return {
    endIds: special.eos,
    update: async (rate) => {
      const samples = await Promise.all(
        [1, 2, 3, 4].map(async (seed) => {
          const sampling = { maxTokens: 40, seed, temperature: 1, topP: 1, topK: -1 };
          return { prompt, ...(await writer.sample(prompt, sampling, signal)) };
        }),
      );
      const scores = await policy.score(samples, 'now');
      const slopes = samples.map(({ tokens }, i) =>
        new Float64Array(tokens.length).fill(i % 2 === 0 ? 1 : -1),
      );
      await policy.backward(samples, slopes);
      await policy.step(rate);
      const gaps = samples.flatMap(({ logProbabilities }, i) =>
        Array.from(logProbabilities, (log, t) => Math.abs(log - (scores[i]?.[t] as number))),
      );
      const ends = samples.flatMap(({ tokens, end }) => (end === 'stop' ? [tokens.at(-1) as number] : []));
      return { gap: Math.max(...gaps), ends };
    },
    publish: policy.publish,
    writeTogether: async (answers, promptTokens) => {
      const long = Int32Array.from({ length: promptTokens }, (_, i) => prompt[i % prompt.length] as number);
      const written = await Promise.all(
        Array.from({ length: answers }, (_, seed) =>
          writer.sample(long, { maxTokens: 2, seed, temperature: 1, topP: 1, topK: -1 }, signal),
        ),
      );
      return written.filter(({ tokens }) => tokens.length > 0).length;
    },
    loseWeights: () => {
      isLost = true;
    },
    dispose: async () => {
      await writer.dispose();
      await dispose();
    },
  };
}
