import type { Refusal, ServerDiagnosis, ServerLaunch, ServerState } from '../../../preload/contract';
import { diagnose, lastLines, type ProcessEnd } from './diagnose';
import type { EngineKind, FailureId } from './engines';
import { describeEnvironment } from './environment-lines';

/** The facts about a server that did not become ready, or died. */
export type FailureFacts = {
  /** A sentence. */
  readonly problem: string;
  /** The server's answer to a request, if that is the failure; else empty. */
  readonly answer: string;
  /** null: it is still running. */
  readonly end: ProcessEnd | null;
};

/** A failure, explained for people. */
export type ServerFailure = {
  readonly id: FailureId | null;
  readonly message: string;
  readonly hint: string | undefined;
  readonly diagnosis: ServerDiagnosis | null;
  /** Complete in itself: with the last lines of the log. */
  readonly refusal: Refusal;
};

/** The ends of a server's two logs. */
export type LogEnds = { readonly setUp: string; readonly output: string };

/** `serves` null: one of our own servers, whose log ends with the reason. */
export function explainFailure(
  facts: FailureFacts,
  serves: { readonly engine: EngineKind; readonly launch: ServerLaunch } | null,
  { setUp, output }: LogEnds,
): ServerFailure {
  // Where the program wrote nothing, the set-up's output has the reason.
  const isOfSetUp = output === '' && setUp !== '';
  const lines = lastLines(isOfSetUp ? setUp : output);
  const matched =
    serves === null
      ? null
      : isOfSetUp
        ? setUpFailure(serves.launch, lines)
        : diagnose(serves.engine, serves.launch, `${output}\n${facts.answer}`, facts.end);
  const message = matched === null ? facts.problem : `${facts.problem} ${matched.cause}`;
  const diagnosis = matched === null ? unknownFailure(facts, lines) : withoutId(matched);
  const shown = (diagnosis?.lines ?? lines).join('\n');
  return {
    id: matched?.id ?? null,
    message,
    hint: matched?.todo,
    diagnosis,
    refusal: {
      code: 'unavailable',
      message: shown === '' ? message : `${message}\nThe last lines of its log:\n${shown}`,
      ...(matched === null ? {} : { hint: matched.todo }),
    },
  };
}

function setUpFailure(
  { environment }: ServerLaunch,
  lines: string[],
): ServerDiagnosis & { readonly id: FailureId | null } {
  return {
    id: null,
    cause: `Its environment (${describeEnvironment(environment)}) could not be activated.`,
    todo: 'Choose another environment in the launch, or create this one on the machine.',
    inLaunch: true,
    lines,
  };
}

function unknownFailure(facts: FailureFacts, lines: string[]): ServerDiagnosis | null {
  if (lines.length === 0) return null;
  return { cause: facts.problem, todo: 'Check the last lines of its log.', lines };
}

/** Failures that a change of the launch's settings ends. */
const OF_LAUNCH: ReadonlySet<FailureId | null> = new Set<FailureId>([
  'argument',
  'architecture',
  'cache-too-small',
  'chat-template',
  'command-missing',
  'context-too-long',
  'data-type',
  'gpu-busy',
  'missing-weights',
  'module',
  'nccl',
  'offline',
  'out-of-memory',
  'tensor-parallel',
]);

function withoutId({
  id,
  ...diagnosis
}: ServerDiagnosis & { readonly id: FailureId | null }): ServerDiagnosis {
  return OF_LAUNCH.has(id) ? { ...diagnosis, inLaunch: true } : diagnosis;
}

/** Why a server cannot answer, as the end of a sentence. */
export function notReadyReason(state: ServerState): string {
  if (state.kind === 'failed') return state.message;
  return state.kind === 'starting' ? `it is not ready (${state.stage})` : 'it was stopped';
}

/** Without the lines of a log that follow. */
export function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? message;
}
