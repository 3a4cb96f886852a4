import { setTimeout as sleep } from 'node:timers/promises';
import type { Refusal, ServerSpec } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { hasEnded, type JobService, type JobState } from '../jobs';
import { type ChatClient, createChatClient } from './chat-client';
import { describeChatFailure } from './logic/chat-failure';
import { PORT_FILE, readPortFile } from './logic/launch-notes';

/** Short against a start (some 100 ms), long against a look (well under 1 ms). */
const LOOK_EVERY_MS = 25;
const TAIL_BYTES = 2_000;
const TAIL_LINES = 6;

export type Listening = { readonly baseUrl: string; readonly pid: number };

/**
 * Waits until the server of a job answers: its port file, then its name in the list of models, then one real
 * completion. Tells the stages on the way. Refuses when the process ends or `timeoutMs` runs out, with the last
 * lines of its log.
 */
export async function waitUntilReady(start: {
  readonly jobs: JobService;
  readonly jobId: string;
  readonly spec: Exclude<ServerSpec, { kind: 'url' }>;
  readonly knownProblemId: string | null;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onStage: (stage: string) => void;
}): Promise<Result<Listening, Refusal>> {
  const timeout = AbortSignal.any([AbortSignal.timeout(start.timeoutMs), start.signal]);
  const giveUp = async (what: string) => refuseWithTail(start.jobs, start.jobId, what);
  start.onStage('process up');
  const listening = await portOf(start.jobs, start.jobId, timeout);
  if (!listening.ok) return giveUp(unready(start.spec.model, listening.error, start.timeoutMs));
  start.onStage('port open');
  const client = createChatClient({
    baseUrl: listening.value.baseUrl,
    model: start.spec.model,
    maxInFlight: 1,
    timeoutMs: start.timeoutMs,
  });
  try {
    const problem = await askOnce(client, start.spec.model, start.knownProblemId, timeout, start.onStage);
    return problem === null ? listening : giveUp(problem);
  } finally {
    client.dispose();
  }
}

/** Sees that a model is listed and gives one real completion; null when it does, else a sentence. */
export async function askOnce(
  client: ChatClient,
  model: string,
  knownProblemId: string | null,
  signal: AbortSignal,
  onStage: (stage: string) => void,
): Promise<string | null> {
  const models = await client.models(signal);
  if (!models.ok) return `The server of "${model}" lists no models. ${describeChatFailure(models.error)}`;
  if (!models.value.includes(model)) {
    return `The server does not serve "${model}" but ${models.value.map((name) => `"${name}"`).join(', ')}.`;
  }
  onStage('waiting for one token');
  const answer = await client.complete(
    {
      messages: [{ role: 'user', content: 'Write a program that reads a line and prints it.' }],
      sampling: { temperature: 1, topP: 1, maxTokens: 1 },
      seed: 0,
      metadata: { problemId: knownProblemId ?? '', session: 'readiness', ordinal: 0 },
    },
    signal,
  );
  return answer.ok ? null : `The server of "${model}" gave no answer. ${describeChatFailure(answer.error)}`;
}

/** A refusal that ends with the last lines of the job's log. */
export async function refuseWithTail(
  jobs: JobService,
  jobId: string,
  what: string,
): Promise<{ readonly ok: false; readonly error: Refusal }> {
  const log = await jobs.readLog(jobId, -TAIL_BYTES, TAIL_BYTES);
  const lines = log.ok ? log.value.text.trimEnd().split('\n').slice(-TAIL_LINES) : [];
  const tail = lines.join('\n').trim();
  const message =
    tail === '' ? `${what} It wrote nothing to its log.` : `${what} The last lines of its log:\n${tail}`;
  return failed({ code: 'unavailable', message });
}

/** How a job ended, as the end of a sentence. */
export function describeEnd(state: JobState): string {
  if (state.kind !== 'exited') return 'was killed';
  if (state.code === null) return 'was killed';
  return state.code > 128 ? `was ended by signal ${state.code - 128}` : `ended with exit code ${state.code}`;
}

type NoPort = { readonly kind: 'ended'; readonly state: JobState } | { readonly kind: 'gave-up' };

async function portOf(
  jobs: JobService,
  jobId: string,
  signal: AbortSignal,
): Promise<Result<Listening, NoPort>> {
  while (!signal.aborted) {
    // The state first: a server that has ended after writing its port is not listening.
    const job = await jobs.inspect(jobId);
    if (job.ok && hasEnded(job.value.state)) return failed({ kind: 'ended', state: job.value.state });
    const listening = readPortFile((await jobs.readFile(jobId, PORT_FILE)) ?? '');
    if (listening !== null) {
      return ok({ baseUrl: `http://127.0.0.1:${listening.port}/v1`, pid: listening.pid });
    }
    await sleep(LOOK_EVERY_MS);
  }
  return failed({ kind: 'gave-up' });
}

function unready(model: string, why: NoPort, timeoutMs: number): string {
  return why.kind === 'ended'
    ? `The server of "${model}" ${describeEnd(why.state)} before it was ready.`
    : `The server of "${model}" opened no port within ${timeoutMs / 1000} s.`;
}
