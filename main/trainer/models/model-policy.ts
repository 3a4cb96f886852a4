import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { z } from 'zod';
import { failed, ok, type Result } from '../../base/index';
import { fitPrompt, type GenerationFailure } from '../../search/index';
import type { LogProbs, Policy, ScoredBy, WriteRequest, Written } from '../policy';
import { TrainerError } from '../trainer-error';
import type { Writer } from './engines/writer';
import type { TokenSample } from './learner-bodies';
import type { LearnerClient } from './learner-client';
import { floatsTensor, idsTensor, readFloats, readIds, tensorSchema } from './tensor';

/** Beta, epsilon and weight decay of MARTI's released settings; the rate comes with each step. */
const ADAM = { beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, largestNorm: 1 } as const;
/** States of a learner that are kept: that of the saved trainer state, and the one before. */
const KEPT_STATES = 2;

const stateSchema = z.object({ learnerState: z.string() });
const savedSampleSchema = z.object({
  prompt: tensorSchema,
  tokens: tensorSchema,
  logProbabilities: tensorSchema,
});

/** A language model that a learner trains, and that the learner or an engine writes with, as the training loop uses it. */
export function modelPolicy(options: {
  /** Of the agent. */
  readonly id: string;
  readonly client: LearnerClient;
  readonly writer: Writer;
  readonly hasReference: boolean;
}): Policy<TokenSample> {
  const { id, client, writer, hasReference } = options;
  /** Oldest first; folders of the learner. */
  const states: string[] = [];
  let hasGradient = false;

  /** The last scores by the current weights; an update asks for its samples' entropy after them. */
  let scored: { readonly samples: readonly TokenSample[]; readonly scores: readonly LogProbs[] } | null =
    null;

  const score = async (samples: readonly TokenSample[], by: ScoredBy): Promise<readonly LogProbs[]> => {
    if (by === 'now') await writer.rest(samples);
    const scores = await client.score(samples, by);
    if (by === 'now') scored = { samples, scores };
    return scores;
  };

  return {
    id,
    write: (request) => writeAnswer(request, client, writer),
    hasReference,
    score,
    backward: async (samples, slopes) => {
      hasGradient ||= slopes.some((those) => Array.prototype.some.call(those, (slope) => slope !== 0));
      await client.backward(samples, slopes);
    },
    // Minus the log-probability of a token drawn from the policy has the entropy as its mean.
    entropy: async (samples) => {
      const scores = scored?.samples === samples ? scored.scores : await score(samples, 'now');
      let [sum, tokens] = [0, 0];
      for (const logs of scores)
        for (let t = 0; t < logs.length; t++) [sum, tokens] = [sum - (logs[t] as number), tokens + 1];
      return tokens === 0 ? null : sum / tokens;
    },
    step: async (rate) => {
      const promptTokens = meanLength((scored?.samples ?? []).map(({ prompt }) => prompt));
      scored = null;
      // A batch without a signal leaves the weights as they are; momentum alone must not move them.
      if (!hasGradient) return { gradientNorm: 0, values: promptTokens };
      hasGradient = false;
      const { gradientNorm, peakMemoryBytes } = await client.step({ ...ADAM, rate });
      return { gradientNorm, values: { ...promptTokens, 'learner-memory': peakMemoryBytes / 1e9 } };
    },
    publish: () => writer.publish(),
    save: async () => {
      // Never the name of an earlier state: a killed session may have left one of the same number of updates.
      const { path } = await client.save(`state-${randomBytes(6).toString('hex')}`);
      states.push(path);
      for (const old of states.splice(0, states.length - KEPT_STATES))
        await rm(old, { recursive: true, force: true });
      return { learnerState: basename(path) };
    },
    restore: async (state) => {
      const saved = stateSchema.safeParse(state);
      if (!saved.success) throw damaged(`The saved state of ${id} names no state of its learner.`);
      await client.load(saved.data.learnerState);
      await writer.publish();
    },
    exportTo: async (path) => {
      const exported = await client.export(basename(path));
      await rm(path, { recursive: true, force: true });
      await mkdir(dirname(path), { recursive: true });
      await rename(exported, path);
    },
    codec: {
      encode: ({ trace, rollout }) => ({
        prompt: idsTensor(trace.prompt),
        tokens: idsTensor(trace.tokens),
        logProbabilities: floatsTensor(rollout),
      }),
      decode: (encoded) => {
        const parsed = savedSampleSchema.safeParse(encoded);
        const prompt = parsed.success ? readIds(parsed.data.prompt) : null;
        const tokens = parsed.success ? readIds(parsed.data.tokens) : null;
        const rollout = parsed.success ? readFloats(parsed.data.logProbabilities) : null;
        if (prompt === null || tokens === null || rollout === null || rollout.length !== tokens.length)
          throw damaged(`A saved sample of ${id} is damaged.`);
        return { trace: { prompt, tokens }, rollout };
      },
    },
  };
}

function meanLength(prompts: readonly Int32Array[]): Readonly<Record<string, number>> {
  if (prompts.length === 0) return {};
  return { 'prompt-tokens': prompts.reduce((sum, { length }) => sum + length, 0) / prompts.length };
}

async function writeAnswer(
  { agent, messages, seed, problemId, signal }: WriteRequest,
  client: LearnerClient,
  writer: Writer,
): Promise<Result<Written<TokenSample>, GenerationFailure>> {
  const { temperature, topP, topK = -1, maxTokens, thinking } = agent.sampling;
  const template = thinking === undefined ? {} : { enable_thinking: thinking };
  let prompt: Int32Array = new Int32Array();
  try {
    const fitting = await fitPrompt(messages, async (candidate) => {
      prompt = await client.render(candidate, template);
      return prompt.length + maxTokens <= writer.contextTokens;
    });
    if (fitting === null) {
      const room = writer.contextTokens - maxTokens;
      const message = `The prompt of ${problemId} has ${prompt.length} tokens; ${room} leave room for an answer.`;
      return failed({ kind: 'server', message });
    }
    // Of a shortened prompt, the last length that was tried need not be the chosen one.
    if (fitting !== messages) prompt = await client.render(fitting, template);
    const written = await writer.sample(prompt, { maxTokens, seed, temperature, topP, topK }, signal);
    const { text, tokens, logProbabilities, end } = written;
    return ok({
      answer: text,
      promptTokens: prompt.length,
      completionTokens: tokens.length,
      end,
      trace: { prompt, tokens },
      rollout: logProbabilities,
    });
  } catch (error) {
    if (signal.aborted) return failed({ kind: 'stopped' });
    if (error instanceof TrainerError) return failed({ kind: 'server', message: error.refusal.message });
    throw error;
  }
}

function damaged(message: string): TrainerError {
  return new TrainerError({ code: 'bad-input', message, hint: 'Delete state.json to start over.' });
}
