import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Refusal } from '../../preload/contract/index';
import type { Disposable, Result } from '../base/index';
import type { SameAlgorithm, VectorsOf } from '../metrics/index';
import { type ChatFailure, type Completion, createChatClient, describeChatFailure } from '../servers/index';

/** The model that judges or embeds did not answer. */
export class ModelRefused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

type Model = { readonly baseUrl: string; readonly model: string };

const TIMEOUT_MS = 300_000;
const TRIES = 3;
const IN_FLIGHT = 16;
/** Enough for a model that reasons before it answers. */
const MAX_TOKENS = 4_096;
const PROGRAMS_A_REQUEST = 32;

const QUESTION = [
  'You compare two Python programs that both solve the same problem.',
  'Decide whether they use the same algorithm: the same idea and the same steps.',
  'Names, formatting, comments and ways of reading input do not matter.',
  'End your answer with one word: same or different.',
].join(' ');

export type ChatJudge = Disposable & {
  readonly same: SameAlgorithm;
  /** Answers so far with neither word; they count as "different". */
  readonly unclear: () => number;
};

/** Asks a chat model about two programs at a time, always at temperature 0. `same` throws `ModelRefused`. */
export function createChatJudge({ baseUrl, model }: Model, signal: AbortSignal): ChatJudge {
  const client = createChatClient({ baseUrl, model, maxInFlight: IN_FLIGHT, timeoutMs: TIMEOUT_MS });
  let unclear = 0;
  const ask = async (one: string, other: string): Promise<Result<Completion, ChatFailure>> =>
    client.complete(
      {
        messages: [
          { role: 'system', content: QUESTION },
          { role: 'user', content: `### Program 1\n${fenced(one)}\n\n### Program 2\n${fenced(other)}` },
        ],
        sampling: { temperature: 0, topP: 1, maxTokens: MAX_TOKENS },
        seed: 0,
        metadata: { problemId: '', session: 'judge', ordinal: 0, parent: '', turn: 0 },
      },
      signal,
    );
  return {
    same: async (one, other) => {
      for (let attempt = 1; ; attempt++) {
        const answer = await ask(one, other);
        if (answer.ok) {
          const word = answer.value.text
            .toLowerCase()
            .match(/\b(same|different)\b/g)
            ?.at(-1);
          if (word === undefined) unclear += 1;
          return word === 'same';
        }
        const isTransient = answer.error.kind === 'transport' || answer.error.kind === 'timeout';
        if (!isTransient || attempt === TRIES || signal.aborted)
          throw refused('judge', model, describeChatFailure(answer.error), signal);
        await sleep(500 * attempt);
      }
    },
    unclear: () => unclear,
    dispose: () => client.dispose(),
  };
}

/** A fence longer than any in the program. */
function fenced(program: string): string {
  const longest = Math.max(2, ...[...program.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}python\n${program}\n${fence}`;
}

const embeddingsSchema = z.object({
  data: z.array(z.object({ index: z.int().nonnegative().optional(), embedding: z.array(z.number()).min(1) })),
});

/** POST /embeddings of an OpenAI-compatible API. Throws `ModelRefused`. */
export function createEmbedder({ baseUrl, model }: Model, signal: AbortSignal): VectorsOf {
  const url = `${baseUrl.replace(/(?<!\/)\/+$/, '')}/embeddings`;
  const embed = async (input: readonly string[]): Promise<Float64Array[]> => {
    let reply: { readonly status: number; readonly body: string };
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model, input }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      reply = { status: response.status, body: await response.text() };
    } catch (error) {
      throw refused('embedding server', model, reasonFor(error), signal);
    }
    if (reply.status !== 200) {
      throw refused('embedding server', model, `Status ${reply.status}: ${reply.body.slice(0, 300)}`, signal);
    }
    const vectors = vectorsIn(reply.body);
    if (vectors.length === input.length && vectors.every(({ length }) => length === vectors[0]?.length))
      return vectors;
    throw refused('embedding server', model, 'Its answer does not have one vector for each program.', signal);
  };
  return async (programs) => {
    const vectors: Float64Array[] = [];
    for (let at = 0; at < programs.length; at += PROGRAMS_A_REQUEST)
      vectors.push(...(await embed(programs.slice(at, at + PROGRAMS_A_REQUEST))));
    return vectors;
  };
}

/** In the order of the input, which servers may leave to `index`; empty for any other body. */
function vectorsIn(body: string): Float64Array[] {
  let data: unknown;
  try {
    data = JSON.parse(body);
  } catch {
    return [];
  }
  const parsed = embeddingsSchema.safeParse(data);
  if (!parsed.success) return [];
  return parsed.data.data
    .map(({ index, embedding }, i) => ({ at: index ?? i, vector: Float64Array.from(embedding) }))
    .sort((a, b) => a.at - b.at)
    .map(({ vector }) => vector);
}

function reasonFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function refused(role: string, model: string, why: string, signal: AbortSignal): ModelRefused {
  if (signal.aborted)
    return new ModelRefused({ code: 'cancelled', message: 'Reading the programs was cancelled.' });
  return new ModelRefused({
    code: 'unavailable',
    message: `The ${role} ${model} did not answer. ${why}`,
    hint: 'Check that it runs, and its address, or choose the measure that needs no model.',
  });
}
