import type { ChatMessage } from '../../preload/contract';
import { deriveSeed, type Random, randomStream } from '../base';
import { type Encoded, encodePrompt } from './features';
import { STOP } from './operations';
import { type PocketPolicy, type SampledProgram, sampleProgram } from './policy';
import { type ReadPrompt, readPrompt } from './prompt';
import { type Phrasing, renderPieces } from './python';
import { pick } from './random-program';

export type ReplyOptions = {
  readonly seed: number;
  /** 0 or more; 0 always writes the likeliest symbol. */
  readonly temperature: number;
  /** In (0, 1]. */
  readonly topP: number;
};

/** One piece of an answer: a symbol of the policy with its Python lines, or the text around them. */
export type ReplyToken = { readonly token: string; readonly logprob: number };

export type PocketReply = {
  /** The tokens put together. */
  readonly text: string;
  /** Log-probabilities are natural, of the policy itself (temperature 1), 0 for pieces without a choice. */
  readonly tokens: readonly ReplyToken[];
  /** Words and signs of the messages. */
  readonly promptTokens: number;
  /** Number of tokens. */
  readonly completionTokens: number;
};

/** Share of answers without a fence when the temperature is above 0, as with real models. Not learned. */
const MISSING_FENCE_CHANCE = 0.01;
const CERTAIN_LOGPROB = 0;

const FIRST_REMARKS = ['Here is a program for this task.', 'This program follows the steps of the task.'];
const REFINE_REMARKS = ['Here is a changed program.', 'I have changed the earlier program as follows.'];

/** Characters of a message that are counted, and that the chance of the answer depends on. */
const MAX_COUNTED = 20_000;

function countTokens(messages: readonly ChatMessage[]): number {
  let count = 0;
  for (const { content } of messages)
    count += (content.slice(0, MAX_COUNTED).match(/\w+|[^\s\w]/g) ?? []).length;
  return count;
}

/** The coding style of a policy: which Python form it writes for an operation depends only on family and seed. */
function phrasingOf({ family, seed }: PocketPolicy): Phrasing {
  return (operation) => (deriveSeed('pocket-hand', family, seed, operation) % 2 === 0 ? 0 : 1);
}

/** The choices that led to an answer; a policy learns from them. */
export type ReplySample = SampledProgram & { readonly encoded: Encoded };

type WrittenReply = { readonly tokens: readonly ReplyToken[]; readonly sample: ReplySample | null };

const WITHOUT_PROGRAM: WrittenReply = {
  tokens: [{ token: 'I only know how to write programs for pocket problems.', logprob: CERTAIN_LOGPROB }],
  sample: null,
};

function writeReply(
  policy: PocketPolicy,
  prompt: ReadPrompt,
  random: Random,
  { temperature, topP }: ReplyOptions,
): WrittenReply {
  const lacksFence = temperature > 0 && random.uniform() < MISSING_FENCE_CHANCE;
  const remark = pick(prompt.earlier === null ? FIRST_REMARKS : REFINE_REMARKS, random);
  const encoded = encodePrompt(prompt);
  const sampled = sampleProgram(policy, encoded, random, { temperature, topP });
  const { program, symbols } = sampled;
  const { head, steps, tail } = renderPieces(program, prompt.style, phrasingOf(policy));
  const fence = lacksFence ? '' : '```';
  const opening = {
    token: `${remark}\n\n${lacksFence ? '' : '```python\n'}${head}`,
    logprob: CERTAIN_LOGPROB,
  };
  const stop = symbols.find(({ symbol }) => symbol === STOP);
  const tokens = [
    opening,
    ...steps.map((token, i) => ({ token, logprob: symbols[i]?.logProbability ?? CERTAIN_LOGPROB })),
    { token: `${tail}${fence}`, logprob: stop?.logProbability ?? CERTAIN_LOGPROB },
  ];
  return { tokens, sample: { ...sampled, encoded } };
}

/**
 * The answer of a policy to chat messages, the same for the same policy, messages and options. To a prompt without a
 * pocket problem the answer is a sentence, without code.
 */
export function replyTo(
  policy: PocketPolicy,
  messages: readonly ChatMessage[],
  options: ReplyOptions,
): PocketReply {
  return sampledReply(policy, messages, options).reply;
}

/** The same answer with its choices; `sample` is null for an answer without a program. */
export function sampledReply(
  policy: PocketPolicy,
  messages: readonly ChatMessage[],
  options: ReplyOptions,
): { readonly reply: PocketReply; readonly sample: ReplySample | null } {
  const prompt = readPrompt(messages);
  const promptText = messages
    .map(({ role, content }) => `${role}: ${content.slice(0, MAX_COUNTED)}`)
    .join('\n');
  const random = randomStream('pocket-reply', policy.family, policy.seed, options.seed, promptText);
  const { tokens, sample } = prompt === null ? WITHOUT_PROGRAM : writeReply(policy, prompt, random, options);
  const reply = {
    text: tokens.map(({ token }) => token).join(''),
    tokens,
    promptTokens: countTokens(messages),
    completionTokens: tokens.length,
  };
  return { reply, sample };
}
