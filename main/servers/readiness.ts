import type { JobState, JobView, Refusal } from '../../preload/contract';
import { assertNever, failed, ok, type Result } from '../base';
import type { JobService } from '../jobs';
import type { Forward } from '../machines';
import { sleepUnlessAborted } from './abortable';
import type { ChatClient } from './chat-client';
import { type ChatFailure, describeChatFailure } from './logic/chat-failure';
import { diagnose, type ProcessEnd } from './logic/diagnose';
import type { FailureFacts } from './logic/failure';
import { StartLog } from './logic/start-log';
import { listenerOf, PORT_FILE, type Program } from './program';

/** Bytes of the log that are read per check. */
const LOG_BYTES = 262_144;
/** For one request for the list of models; a server that loads answers at once or not at all. */
const PROBE_MS = 5_000;

/** The stages of every start, in order; those read from the log are left out if the log does not show them. */
export type StageName =
  | 'process up'
  | 'weights loading'
  | 'warming up'
  | 'port open'
  | 'model listed'
  | 'one real token';

export type StartLimits = {
  readonly checkEveryMs: number;
  /** From the process to the first answer; null: no limit. Time in a queue or without the machine does not count. */
  readonly totalMs: number | null;
  /** Without a new line in the log. */
  readonly quietMs: number;
  /** The same, once the log shows an error that engines do not recover from. */
  readonly hungMs: number;
};

/**
 * Waits until the server of a job answers: the process, its port, its name in the list of models, one real
 * completion. Waits without a limit while the machine does not answer. Fails when the process ends, logs nothing for
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
  /** A port of this computer that is forwarded to a port there; the caller keeps it open. */
  readonly forward: (port: number) => Promise<Result<Forward, Refusal>>;
  /** Uses the address that was last passed to `onAddress`. */
  readonly client: ChatClient;
  readonly onAddress: (baseUrl: string) => void;
  /** `stage` null: no new stage, only the text changes. */
  readonly onStage: (stage: StageName | null, text: string) => void;
  readonly onJob: (job: JobView) => void;
}): Promise<Result<{ readonly pid: number | null }, FailureFacts>> {
  const { jobs, jobId, program, limits, signal, onStage } = start;
  const { model } = program;
  const log = new StartLog(program.serves.kind === 'launch' ? program.serves.engine : null);
  let offset = start.logFrom;
  let listener = listenerOf(program, null);
  let isOpen = false;
  let ranMs = 0;
  let quietMs = 0;
  let lastMs = performance.now();
  const giveUp = (problem: string, answer = '', end: ProcessEnd | null = null) =>
    failed({ problem, answer, end });

  const readLog = async (): Promise<void> => {
    const piece = await jobs.readLog(jobId, 'output', offset, LOG_BYTES);
    if (!piece.ok || piece.value.nextOffset === offset) return;
    offset = piece.value.nextOffset;
    quietMs = 0;
    const note = log.read(piece.value.text);
    if (note !== null) onStage(note.stage, note.text === '' ? note.stage : `${note.stage}: ${note.text}`);
  };

  /** null: no process listens yet. */
  const openPort = async (): Promise<Result<true, FailureFacts> | null> => {
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

  for (let check = 0; !signal.aborted; check++) {
    if (check > 0) await sleepUnlessAborted(limits.checkEveryMs, signal);
    const nowMs = performance.now();
    const passedMs = nowMs - lastMs;
    lastMs = nowMs;
    const job = await jobs.inspect(jobId);
    if (signal.aborted) break;
    if (!job.ok && job.error.code !== 'unreachable') return giveUp(job.error.message);
    if (job.ok) start.onJob(job.value.view);
    const pause = job.ok
      ? waitingReason(job.value.view.state)
      : 'the machine does not answer; waiting for it';
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
      if (listed.kind === 'wrong') return giveUp(listed.problem, listed.answer);
      if (listed.kind !== 'closed' && !isOpen) {
        isOpen = true;
        onStage('port open', 'port open');
      }
      if (listed.kind === 'listed') {
        onStage('model listed', 'waiting for one token');
        const answer = await oneToken(start.client, program, signal);
        if (signal.aborted) break;
        if (answer === null) {
          // Another program may have answered on our port: then our process is dead, or dies because the port is taken.
          const after = await jobs.inspect(jobId);
          if (after.ok && after.value.view.state.kind === 'running') {
            onStage('one real token', 'ready');
            return ok({ pid: listener?.pid ?? null });
          }
        } else if (!mayBeTransient(answer)) {
          return giveUp(
            `The server of "${model}" gave no answer. ${describeChatFailure(answer)}`,
            describeChatFailure(answer),
          );
        }
        quietMs = 0;
      }
    }
    if (limits.totalMs !== null && ranMs > limits.totalMs) {
      const failing = isOpen ? 'did not answer' : 'opened no port';
      return giveUp(`The server of "${model}" ${failing} within ${limits.totalMs / 1000} s.`);
    }
    const hung = quietMs > limits.hungMs && hasFatalProblem(program, log.tail);
    if (hung || quietMs > limits.quietMs) {
      const seconds = Math.round(quietMs / 1000);
      return giveUp(`The server of "${model}" is not ready and its log has been silent for ${seconds} s.`);
    }
  }
  return giveUp(`The server of "${model}" was stopped.`);
}

/** Why a start waits without a failure of the server; null when its process runs or has ended. */
function waitingReason(state: JobState): string | null {
  switch (state.kind) {
    case 'queued':
      return state.why === '' ? 'waiting in the queue' : `waiting in the queue: ${state.why}`;
    case 'starting':
      return 'process starting';
    case 'unknown':
      return 'the machine does not answer; waiting for it';
    case 'running':
    case 'exited':
    case 'lost':
      return null;
    default:
      return assertNever(state);
  }
}

type Listed =
  /** No process listens. */
  | { readonly kind: 'closed' }
  /** A process listens and lists no model yet. */
  | { readonly kind: 'loading' }
  | { readonly kind: 'listed' }
  | { readonly kind: 'wrong'; readonly problem: string; readonly answer: string };

async function listedModels(client: ChatClient, program: Program, signal: AbortSignal): Promise<Listed> {
  const models = await client.models(AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]));
  if (!models.ok) {
    const { error } = models;
    if (error.kind === 'refused' && (error.status === 401 || error.status === 403)) {
      const problem = `The server of "${program.model}" requires a key. Remove --api-key from its arguments: the server can only be reached from its own machine.`;
      return { kind: 'wrong', problem, answer: error.message };
    }
    return { kind: error.kind === 'transport' || error.kind === 'cancelled' ? 'closed' : 'loading' };
  }
  const { serves, model } = program;
  if (serves.kind === 'launch' && !serves.engine.listsItsModel) return { kind: 'listed' };
  // Ollama adds a tag where a name has none.
  if (models.value.some((name) => name === model || name === `${model}:latest`)) return { kind: 'listed' };
  if (models.value.length === 0) return { kind: 'loading' };
  return { kind: 'wrong', problem: wrongModel(model, models.value), answer: '' };
}

export function wrongModel(model: string, listed: readonly string[]): string {
  return `The server does not serve "${model}" but ${listed.map((name) => `"${name}"`).join(', ')}.`;
}

/** Requests a real completion of one token; null when it came. */
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

/** A first request may hit a connection that was just cut, or a server that still fills its cache. */
function mayBeTransient(failure: ChatFailure): boolean {
  if (failure.kind === 'refused') return failure.status === 503 || failure.status === 429;
  return failure.kind === 'transport' || failure.kind === 'cancelled';
}

/** After these, engines have been seen to keep running with all their memory and answer no request. */
function hasFatalProblem({ serves }: Program, tail: string): boolean {
  if (serves.kind === 'own') return false;
  const diagnosis = diagnose(serves.engine, serves.launch, tail, null);
  return diagnosis !== null && diagnosis.id !== 'offline' && diagnosis.id !== 'argument';
}

/** How a job ended, as the end of a sentence. */
export function describeEnd(state: JobState): string {
  if (state.kind === 'lost') return state.why === '' ? 'is gone' : `is gone (${state.why})`;
  if (state.kind === 'exited' && state.isCancelled === true) return 'was cancelled in Slurm';
  if (state.kind !== 'exited' || state.code === null) return 'was killed';
  return state.code > 128 ? `was ended by signal ${state.code - 128}` : `ended with exit code ${state.code}`;
}

export function endOf(state: JobState): ProcessEnd | null {
  if (state.kind === 'lost') return { code: null, lost: true };
  return state.kind === 'exited' ? { code: state.code, lost: false } : null;
}
