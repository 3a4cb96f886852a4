import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Refusal, SpeedRow } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { timedStream } from './http-stream';
import { type ChatFailure, describeChatFailure } from './logic/chat-failure';
import { pinnedModelOf } from './logic/dialect';
import { speedRow, type TimedAnswer } from './logic/speed-row';
import type { SpeedTarget } from './running-server';

/** Twice as many requests as run at once, so that a row measures more than start and end. */
const PASSES = 2;
const MIN_REQUESTS = 4;
const TIMEOUT_MS = 600_000;

export type SpeedTestRequest = { readonly concurrencies: readonly number[]; readonly tokens: number };

/**
 * Measures a server with each number of requests at once: tokens per second in total, and the time to the first token.
 * Other users of the server at the same time lower the result. No retries; refuses if the first request fails.
 */
export async function testSpeed(
  target: SpeedTarget,
  { concurrencies, tokens }: SpeedTestRequest,
  report: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<Result<readonly SpeedRow[], Refusal>> {
  const counts = concurrencies.map((concurrency) => Math.max(MIN_REQUESTS, concurrency * PASSES));
  const total = counts.reduce((sum, count) => sum + count, 1);
  const isHttps = target.baseUrl.startsWith('https:');
  const agent = isHttps ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  let done = 0;
  let { model } = target;
  const ask = async (ordinal: number): Promise<Result<TimedAnswer, ChatFailure>> => {
    const answer = await timedStream({
      url: `${target.baseUrl.replace(/(?<!\/)\/+$/, '')}/chat/completions`,
      body: bodyOf({ ...target, model }, tokens, ordinal),
      key: (await target.key?.()) ?? null,
      agent,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
    done += 1;
    if (!signal.aborted) report(done, total);
    return answer;
  };
  try {
    report(0, total);
    // The first request after a quiet time is slower than any other, and shows whether the server answers at all.
    let first = await ask(0);
    const pinned = first.ok || !target.hasOneModel ? null : pinnedModelOf(first.error);
    if (pinned !== null) {
      model = pinned;
      first = await ask(0);
    }
    if (signal.aborted) return failed(stopped());
    if (!first.ok) return failed({ code: 'unavailable', message: describeChatFailure(first.error) });
    const rows: SpeedRow[] = [];
    for (const [at, concurrency] of concurrencies.entries()) {
      const answers: (TimedAnswer | string)[] = [];
      const count = counts[at] ?? 0;
      let next = 0;
      const startedMs = performance.now();
      const work = async () => {
        while (next < count && !signal.aborted) {
          next += 1;
          const answer = await ask(next);
          answers.push(answer.ok ? answer.value : describeChatFailure(answer.error));
        }
      };
      await Promise.all(Array.from({ length: Math.min(concurrency, count) }, work));
      if (signal.aborted) return failed(stopped());
      rows.push(speedRow(concurrency, answers, performance.now() - startedMs));
    }
    return ok(rows);
  } finally {
    agent.destroy();
  }
}

function bodyOf({ model, ignoresEnd, problemId }: SpeedTarget, tokens: number, ordinal: number): string {
  return JSON.stringify({
    model,
    // A different start each time, so that no prompt cache helps.
    messages: [
      {
        role: 'user',
        content: `Task ${ordinal}. Write a long program that sorts lines, and explain each step.`,
      },
    ],
    temperature: 1,
    top_p: 1,
    max_tokens: tokens,
    seed: ordinal,
    stream: true,
    stream_options: { include_usage: true },
    ...(ignoresEnd ? { ignore_eos: true } : {}),
    ...(problemId === ''
      ? {}
      : { metadata: { problem_id: problemId, session: 'speed-test', ordinal: '0', parent: '', turn: '0' } }),
  });
}

function stopped(): Refusal {
  return { code: 'cancelled', message: 'The speed test was stopped.' };
}
