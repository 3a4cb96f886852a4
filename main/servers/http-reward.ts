import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { z } from 'zod';
import type { Problem } from '../../preload/contract';
import { assertNever, failed, ok, parsedJson, type Result } from '../base';
import { exchange } from './http-exchange';
import { InFlightLimit } from './in-flight-limit';
import { startOf } from './logic/chat-answer';
import type { ChatFailure } from './logic/chat-failure';

/** Enough for a number and a message; a server that sends more is no reward model. */
const MAX_ANSWER_BYTES = 1_000_000;
/** A large reward model takes a second or two per program; this leaves time for a queue. */
const TIMEOUT_MS = 60_000;
/** Scores requested at the same time: trees share one reward model. */
const MAX_IN_FLIGHT = 16;

const answerSchema = z.object({ score: z.number('is not a finite number') });
const errorSchema = z.object({ error: z.union([z.string(), z.object({ message: z.string() })]) });

/** May be asked to stop; an `AbortSignal` also ends the request that is under way. */
type Stop = { readonly aborted: boolean };

/** See `ScoreReward` of main/search. */
export type HttpReward = (
  problem: Pick<Problem, 'id' | 'statement'>,
  program: string,
  signal: Stop,
) => Promise<Result<number, { readonly message: string }>>;

/**
 * A reward model behind an address: POST {"problem": {"id", "statement"}, "program"} as JSON gives {"score": number},
 * larger is better (docs/search.md). Never rejects; the error is a sentence. Nothing is tried again here.
 */
export function httpReward(url: string, { timeoutMs = TIMEOUT_MS } = {}): HttpReward {
  const limit = new InFlightLimit(MAX_IN_FLIGHT);
  const isHttps = url.startsWith('https:');
  // No connection outlives its answer, so that there is nothing to close.
  const agent = isHttps ? new HttpsAgent() : new HttpAgent();

  const ask = async (
    body: string,
    signal: AbortSignal,
  ): Promise<Result<number, { readonly message: string }>> => {
    const slot = await limit.enter(signal);
    if (!slot.ok) return failed({ message: 'The request for a reward was cancelled.' });
    try {
      const request = { method: 'POST', url, body, agent, timeoutMs, signal } as const;
      const answer = await exchange({ ...request, maxAnswerBytes: MAX_ANSWER_BYTES });
      if (!answer.ok) return failed({ message: `${describe(answer.error)} Asked at ${url}.` });
      return readScore(url, answer.value.status, answer.value.body);
    } finally {
      slot.value();
    }
  };

  return async ({ id, statement }, program, signal) => {
    if (!isHttps && !url.startsWith('http:')) {
      return failed({ message: `The reward model's address ${url} is neither http nor https.` });
    }
    if (signal.aborted) return failed({ message: 'The request for a reward was cancelled.' });
    const body = JSON.stringify({ problem: { id, statement }, program });
    return ask(body, signal instanceof AbortSignal ? signal : new AbortController().signal);
  };
}

function describe(failure: ChatFailure): string {
  switch (failure.kind) {
    case 'transport':
      return `The reward model could not be reached: ${failure.message}.`;
    case 'timeout':
      return `The reward model did not answer within ${failure.timeoutMs / 1000} s.`;
    case 'malformed':
      return `The reward model's answer cannot be used: ${failure.message}.`;
    case 'cancelled':
      return 'The request for a reward was cancelled.';
    case 'refused':
    case 'other-model':
    case 'exhausted':
    case 'no-refinement':
      return failure.message;
    default:
      return assertNever(failure);
  }
}

function readScore(url: string, status: number, body: string): Result<number, { readonly message: string }> {
  const json = parsedJson(body);
  if (status !== 200) {
    const answer = errorSchema.safeParse(json);
    const error = answer.success ? answer.data.error : startOf(body);
    const reason = typeof error === 'string' ? error : error.message;
    return failed({ message: `The reward model at ${url} refused with status ${status}: ${reason}` });
  }
  const score = answerSchema.safeParse(json);
  if (score.success) return ok(score.data.score);
  const problem = `it is not {"score": number} but ${startOf(body)}`;
  return failed({ message: `The answer of the reward model at ${url} cannot be used: ${problem}.` });
}
