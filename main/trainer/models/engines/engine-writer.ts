import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { counted } from '../../../base/index';
import { TrainerError } from '../../trainer-error';
import type { TokenSample } from '../learner-bodies';
import type { LearnerClient } from '../learner-client';
import { CONTROL_LIMIT_MS } from './engine-client';
import { proofFailure, publishProof } from './publish-proof';
import { type EnginePublisher, openPublisher, type PublisherOptions } from './publisher';
import type { PublishValues, Writer } from './writer';

/** Tokens that engine and learner both score after each publication. */
const PROOF_TOKENS = 2_000;
/** Folders that are kept: what the engine has loaded, and the one before. */
const KEPT_FOLDERS = 2;
/** Of the answer that is written for the check of what the engine reports. */
const CHECK_TOKENS = 16;
/** In nats a token; rounding makes some hundredths. */
const LARGEST_REPORT_GAP = 0.25;

/** Samples that are scored again and again, with what engine and learner said of them after the last publication. */
type ProofSet = {
  readonly samples: readonly TokenSample[];
  engine: Float32Array;
  learner: Float32Array;
};

type PublishingLearner = Pick<LearnerClient, 'export' | 'score'>;
export type EngineWriterOptions = PublisherOptions & { readonly learner: PublishingLearner };

/**
 * An inference engine that writes the answers of one agent. Each publication is proven: first by what the engine says
 * that it serves, then by how its log-probabilities changed beside the learner's (`publishProof`), then by an answer that
 * it writes. A publication that fails ends the training with its reason; the saved state is not touched.
 */
export async function openEngineWriter(options: EngineWriterOptions): Promise<Writer> {
  const { settings, host, learner } = options;
  const publisher = await openPublisher(options);
  /** Part of every label: weights of an earlier session must not have the name of this one's. */
  const session = randomBytes(4).toString('hex');
  const folders: string[] = [];
  let proof: ProofSet | null = null;
  let isResting = false;
  let published = 0;

  const failure = (problem: string): TrainerError =>
    new TrainerError({
      code: 'unavailable',
      message: `The engine of ${host.agentId} ${problem}.`,
      hint: 'Resume the training, which starts the engine again. If it happens again, choose --publish restart.',
    });

  const beginProof = async (samples: readonly TokenSample[]): Promise<void> => {
    const chosen = proofSamples(samples);
    const engine = joined(await publisher.client().score(chosen));
    await publisher.rest();
    const learnerScores = joined(await learner.score(chosen, 'now'));
    const first = publishProof(unchanged(engine, learnerScores));
    if (first.outcome === 'other weights')
      throw failure(proofFailure(first) ?? 'answers with other weights than the learner’s');
    proof = { samples: chosen, engine, learner: learnerScores };
  };

  const prove = async (): Promise<PublishValues> => {
    if (proof === null) return {};
    const engine = joined(await publisher.client().score(proof.samples));
    const now = joined(await learner.score(proof.samples, 'now'));
    const found = publishProof({
      engine: { before: proof.engine, after: engine },
      learner: { before: proof.learner, after: now },
    });
    const problem = proofFailure(found);
    if (problem !== null) throw failure(problem);
    // Where nothing could be shown, the changes of several publications are shown together.
    if (found.outcome === 'proven') [proof.engine, proof.learner] = [engine, now];
    const { slope, gap } = found;
    return {
      'publish-proven': found.outcome === 'proven' ? 1 : 0,
      'publish-gap': gap,
      ...(slope === null ? {} : { 'publish-slope': slope }),
    };
  };

  const checkWriting = async (): Promise<void> => {
    const prompt = proof?.samples[0]?.prompt;
    if (prompt === undefined) return;
    // A new process and a new name have no cache.
    const cached = settings.publish === 'reload' ? await publisher.client().cachedTokens(prompt) : null;
    if (cached !== null && cached > 0)
      throw failure(`took ${counted(cached, 'token')} from a cache of the old weights`);
    const limits = { seed: settings.seed, limitMs: host.limitMs ?? CONTROL_LIMIT_MS };
    await checkReport(publisher, learner, prompt, limits, failure);
  };

  return {
    contextTokens: settings.contextTokens,
    sample: (prompt, sampling, signal) => publisher.client().sample(prompt, sampling, signal),
    rest: async (samples) => {
      if (isResting) return;
      isResting = true;
      await (proof === null ? beginProof(samples) : publisher.rest());
    },
    publish: async () => {
      const began = performance.now();
      published += 1;
      const label = `published-${session}-${published}`;
      const path = await learner.export(label);
      folders.push(path);
      await publisher.publish({ label, path });
      isResting = false;
      await checkWriting();
      const values = await prove();
      for (const old of folders.splice(0, folders.length - KEPT_FOLDERS))
        await rm(old, { recursive: true, force: true });
      return { 'publish-seconds': (performance.now() - began) / 1_000, ...values };
    },
    dispose: async () => {
      await publisher.dispose();
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The engine must report log-probabilities of the model itself: of an answer that is drawn from the two likeliest tokens,
 * those after the cut ("processed") are far from the learner's. Written through the engine's cache, as every answer is.
 */
async function checkReport(
  publisher: EnginePublisher,
  learner: PublishingLearner,
  prompt: Int32Array,
  { seed, limitMs }: { readonly seed: number; readonly limitMs: number },
  failure: (problem: string) => TrainerError,
): Promise<void> {
  const sampling = { maxTokens: CHECK_TOKENS, seed, temperature: 1, topP: 1, topK: 2 };
  // An engine that was left paused or asleep takes requests and never answers them.
  const limit = AbortSignal.timeout(limitMs);
  const written = await publisher
    .client()
    .sample(prompt, sampling, limit)
    .catch((error: unknown) => {
      throw limit.aborted ? failure('took new weights, but does not write') : error;
    });
  const [scores = new Float32Array()] = await learner.score([{ prompt, tokens: written.tokens }], 'now');
  const gap = meanGap(written.logProbabilities, scores);
  if (gap > LARGEST_REPORT_GAP)
    throw failure(
      `reports log-probabilities ${gap.toFixed(2)} nats a token from the learner’s: they are not the model’s own (as after temperature and cuts), or those of old keys and values`,
    );
}

/** The first samples, up to PROOF_TOKENS tokens of answers in all; the last one is cut. */
function proofSamples(samples: readonly TokenSample[]): readonly TokenSample[] {
  const chosen: TokenSample[] = [];
  let tokens = 0;
  for (const sample of samples) {
    if (tokens >= PROOF_TOKENS) break;
    const rest = sample.tokens.subarray(0, PROOF_TOKENS - tokens);
    chosen.push({ prompt: sample.prompt, tokens: rest });
    tokens += rest.length;
  }
  return chosen;
}

function unchanged(engine: Float32Array, learner: Float32Array): Parameters<typeof publishProof>[0] {
  return { engine: { before: engine, after: engine }, learner: { before: learner, after: learner } };
}

function joined(scores: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(scores.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of scores) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function meanGap(some: Float32Array, others: Float32Array): number {
  return some.reduce((sum, log, t) => sum + Math.abs(log - (others[t] ?? 0)), 0) / Math.max(1, some.length);
}
