import { setTimeout as sleep } from 'node:timers/promises';
import type { JobState, JobView, Refusal } from '../../preload/contract';
import { assertNever, type Disposable, failed, ok, type Result } from '../base';
import type { JobService } from '../jobs';
import type { ChatClient } from './chat-client';
import { type ChatFailure, describeChatFailure } from './logic/chat-failure';
import type { Fall } from './logic/server-failure';
import { StartLog } from './logic/start-log';
import { type ProcessEnd, troubleOf } from './logic/troubles';
import { listenerOf, PORT_FILE, type Program } from './program';

/** Bytes of the log that are read at a look. */
const LOG_BYTES = 262_144;
/** One look at the list of models; a server that loads answers at once or not at all. */
const PROBE_MS = 5_000;

/** Reached one after the other by every start; those of the log are left out where it says nothing. */
export type StageName =
  | 'process up'
  | 'weights loading'
  | 'warming up'
  | 'port open'
  | 'model listed'
  | 'one real token';

export type StartLimits = {
  readonly lookEveryMs: number;
  /** From the process to the first answer; null: no limit. Time in a queue or without the machine does not count. */
  readonly totalMs: number | null;
  /** Without a word in the log. */
  readonly quietMs: number;
  /** The same, once the log has told of something that engines do not get over. */
  readonly hungMs: number;
};

export type Forward = Disposable & { readonly localPort: number };

/**
 * Waits until the server of a job answers: the process, its port, its name in the list of models, one real
 * completion. While the machine does not answer it waits on, for ever. Fails when the process ends, says nothing for
 * too long, or answers with something else.
 */
export async function waitUntilReady(start: {
  readonly jobs: JobService;
  readonly jobId: string;
  readonly program: Program;
  /** Where the log of this start begins, in bytes. */
  readonly logFrom: number;
  readonly limits: StartLimits;
  readonly signal: AbortSignal;
  /** An address of this computer that reaches a port there; kept by the caller. */
  readonly forward: (port: number) => Promise<Result<Forward, Refusal>>;
  /** Asks at the address that was given to `onAddress` last. */
  readonly client: ChatClient;
  readonly onAddress: (baseUrl: string) => void;
  /** `stage` null: none is reached, the words alone are told. */
  readonly onStage: (stage: StageName | null, words: string) => void;
  readonly onJob: (job: JobView) => void;
}): Promise<Result<{ readonly pid: number | null }, Fall>> {
  const { jobs, jobId, program, limits, signal, onStage } = start;
  const { model } = program;
  const log = new StartLog(program.serves.kind === 'launch' ? program.serves.engine : null);
  let offset = start.logFrom;
  let listener = listenerOf(program, null);
  let isOpen = false;
  let ranMs = 0;
  let quietMs = 0;
  let lastMs = performance.now();
  const giveUp = (what: string, answer = '', end: ProcessEnd | null = null) => failed({ what, answer, end });

  const readLog = async (): Promise<void> => {
    const piece = await jobs.readLog(jobId, 'output', offset, LOG_BYTES);
    if (!piece.ok || piece.value.nextOffset === offset) return;
    offset = piece.value.nextOffset;
    quietMs = 0;
    const note = log.read(piece.value.text);
    if (note !== null) onStage(note.stage, note.words === '' ? note.stage : `${note.stage}: ${note.words}`);
  };

  /** null: nobody listens yet. */
  const openPort = async (): Promise<Result<true, Fall> | null> => {
    if (listener === null) {
      const file = program.serves.kind === 'own' ? await jobs.readFile(jobId, PORT_FILE) : ok(null);
      listener = listenerOf(program, file.ok ? file.value : null);
    }
    if (listener === null) return null;
    const { port } = listener;
    const forward = await start.forward(port);
    if (!forward.ok) {
      return forward.error.code === 'unreachable'
        ? null
        : giveUp(`Port ${port} of the machine cannot be reached from here. ${forward.error.message}`);
    }
    start.onAddress(`http://127.0.0.1:${forward.value.localPort}/v1`);
    return ok(true);
  };

  for (let look = 0; !signal.aborted; look++) {
    if (look > 0) await sleep(limits.lookEveryMs, undefined, { signal }).catch(() => undefined);
    const nowMs = performance.now();
    const passedMs = nowMs - lastMs;
    lastMs = nowMs;
    const job = await jobs.inspect(jobId);
    if (signal.aborted) break;
    if (!job.ok && job.error.code !== 'unreachable') return giveUp(job.error.message);
    if (job.ok) start.onJob(job.value.view);
    const pause = job.ok
      ? whyNotYet(job.value.view.state)
      : 'the machine does not answer; it goes on when it does';
    if (pause !== null) {
      onStage(null, pause);
      continue;
    }
    if (!job.ok) continue;
    const { state } = job.value.view;
    if (state.kind === 'exited' || state.kind === 'lost') {
      await readLog();
      return giveUp(`The server of "${model}" ${describeEnd(state)} before it was ready.`, '', endOf(state));
    }
    onStage('process up', 'process up');
    ranMs += passedMs;
    quietMs += passedMs;
    await readLog();
    const opened = await openPort();
    if (opened !== null && !opened.ok) return opened;
    if (opened !== null) {
      const listed = await listedModels(start.client, program, signal);
      if (listed.kind === 'wrong') return giveUp(listed.what, listed.answer);
      if (listed.kind !== 'closed' && !isOpen) {
        isOpen = true;
        onStage('port open', 'port open');
      }
      if (listed.kind === 'listed') {
        onStage('model listed', 'waiting for one token');
        const answer = await oneToken(start.client, program, signal);
        if (signal.aborted) break;
        if (answer === null) {
          // One that listens where ours should may have answered: ours is then dead, or dies of the taken port.
          const after = await jobs.inspect(jobId);
          if (after.ok && after.value.view.state.kind === 'running') {
            onStage('one real token', 'ready');
            return ok({ pid: listener?.pid ?? null });
          }
        } else if (!mayPass(answer)) {
          return giveUp(
            `The server of "${model}" gave no answer. ${describeChatFailure(answer)}`,
            describeChatFailure(answer),
          );
        }
        quietMs = 0;
      }
    }
    if (limits.totalMs !== null && ranMs > limits.totalMs) {
      const what = isOpen ? 'did not answer' : 'opened no port';
      return giveUp(`The server of "${model}" ${what} within ${limits.totalMs / 1000} s.`);
    }
    const hung = quietMs > limits.hungMs && hasFatalTrouble(program, log.tail);
    if (hung || quietMs > limits.quietMs) {
      const seconds = Math.round(quietMs / 1000);
      return giveUp(`The server of "${model}" is not ready and has said nothing for ${seconds} s.`);
    }
  }
  return giveUp(`The server of "${model}" was stopped.`);
}

/** What a start waits for that is no fault of the server; null when its process runs or has ended. */
function whyNotYet(state: JobState): string | null {
  switch (state.kind) {
    case 'queued':
      return state.why === '' ? 'waits in the queue' : `waits in the queue: ${state.why}`;
    case 'starting':
      return 'process starting';
    case 'unknown':
      return 'the machine does not answer; it goes on when it does';
    case 'running':
    case 'exited':
    case 'lost':
      return null;
    default:
      return assertNever(state);
  }
}

type Listed =
  /** Nobody listens. */
  | { readonly kind: 'closed' }
  /** Somebody listens and lists no model yet. */
  | { readonly kind: 'loading' }
  | { readonly kind: 'listed' }
  | { readonly kind: 'wrong'; readonly what: string; readonly answer: string };

async function listedModels(client: ChatClient, program: Program, signal: AbortSignal): Promise<Listed> {
  const models = await client.models(AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]));
  if (!models.ok) {
    const { error } = models;
    if (error.kind === 'refused' && (error.status === 401 || error.status === 403)) {
      const what = `The server of "${program.model}" wants a key. Take --api-key out of its arguments: it can only be reached from its own machine.`;
      return { kind: 'wrong', what, answer: error.message };
    }
    return { kind: error.kind === 'transport' || error.kind === 'cancelled' ? 'closed' : 'loading' };
  }
  const { serves, model } = program;
  if (serves.kind === 'launch' && !serves.engine.listsItsModel) return { kind: 'listed' };
  // Ollama adds a tag where a name has none.
  if (models.value.some((name) => name === model || name === `${model}:latest`)) return { kind: 'listed' };
  if (models.value.length === 0) return { kind: 'loading' };
  return { kind: 'wrong', what: wrongModel(model, models.value), answer: '' };
}

export function wrongModel(model: string, listed: readonly string[]): string {
  return `The server does not serve "${model}" but ${listed.map((name) => `"${name}"`).join(', ')}.`;
}

/** One real completion of one token; null when it came. */
export async function oneToken(
  client: ChatClient,
  program: Pick<Program, 'serves'>,
  signal: AbortSignal,
): Promise<ChatFailure | null> {
  const problemId = program.serves.kind === 'own' ? (program.serves.knownProblemId ?? '') : '';
  const answer = await client.complete(
    {
      messages: [{ role: 'user', content: 'Write a program that reads a line and prints it.' }],
      sampling: { temperature: 1, topP: 1, maxTokens: 1 },
      seed: 0,
      metadata: { problemId, session: 'readiness', ordinal: 0, parent: '', turn: 0 },
    },
    signal,
  );
  return answer.ok ? null : answer.error;
}

/** A first request may meet a connection that was just cut, or a server that still fills its cache. */
function mayPass(failure: ChatFailure): boolean {
  if (failure.kind === 'refused') return failure.status === 503 || failure.status === 429;
  return failure.kind === 'transport' || failure.kind === 'cancelled';
}

/** Engines have been seen to stay after these, with all their memory, and answer nobody. */
function hasFatalTrouble({ serves }: Program, tail: string): boolean {
  if (serves.kind === 'own') return false;
  const trouble = troubleOf(serves.engine, serves.launch, tail, null);
  return trouble !== null && trouble.id !== 'offline' && trouble.id !== 'argument';
}

/** How a job ended, as the end of a sentence. */
export function describeEnd(state: JobState): string {
  if (state.kind === 'lost') return state.why === '' ? 'is gone' : `is gone (${state.why})`;
  if (state.kind !== 'exited' || state.code === null) return 'was killed';
  return state.code > 128 ? `was ended by signal ${state.code - 128}` : `ended with exit code ${state.code}`;
}

export function endOf(state: JobState): ProcessEnd | null {
  if (state.kind === 'lost') return { code: null, lost: true };
  return state.kind === 'exited' ? { code: state.code, lost: false } : null;
}
