import type { Refusal, ServerLaunch, ServerTrouble } from '../../../preload/contract';
import type { EngineKind, TroubleId } from './engines';
import { describeEnvironment } from './environment-lines';
import { lastLines, type ProcessEnd, troubleOf } from './troubles';

/** What happened to a server that did not become ready, or died. */
export type Fall = {
  /** A sentence. */
  readonly what: string;
  /** What the server answered to a request, where that is the trouble; else empty. */
  readonly answer: string;
  /** null: it still runs. */
  readonly end: ProcessEnd | null;
};

/** A fall, explained for people. */
export type ServerFailure = {
  readonly id: TroubleId | null;
  readonly message: string;
  readonly hint: string | undefined;
  readonly trouble: ServerTrouble | null;
  /** For whoever sees nothing but this: with the last lines of the log. */
  readonly refusal: Refusal;
};

/** The ends of a server's two logs. */
export type LogEnds = { readonly setUp: string; readonly output: string };

/** `serves` null: a server of ours, whose own words are its log's last. */
export function explainFall(
  fall: Fall,
  serves: { readonly engine: EngineKind; readonly launch: ServerLaunch } | null,
  { setUp, output }: LogEnds,
): ServerFailure {
  // What the set-up says matters where the program itself said nothing.
  const isOfSetUp = output === '' && setUp !== '';
  const lines = lastLines(isOfSetUp ? setUp : output);
  const known =
    serves === null
      ? null
      : isOfSetUp
        ? setUpTrouble(serves.launch, lines)
        : troubleOf(serves.engine, serves.launch, `${output}\n${fall.answer}`, fall.end);
  const message = known === null ? fall.what : `${fall.what} ${known.cause}`;
  const trouble = known === null ? ownTrouble(fall, lines) : withoutId(known);
  const shown = (trouble?.lines ?? lines).join('\n');
  return {
    id: known?.id ?? null,
    message,
    hint: known?.todo,
    trouble,
    refusal: {
      code: 'unavailable',
      message: shown === '' ? message : `${message}\nThe last lines of its log:\n${shown}`,
      ...(known === null ? {} : { hint: known.todo }),
    },
  };
}

function setUpTrouble(
  { environment }: ServerLaunch,
  lines: string[],
): ServerTrouble & { readonly id: TroubleId | null } {
  return {
    id: null,
    cause: `Its environment (${describeEnvironment(environment)}) could not be entered.`,
    todo: 'Choose another environment in the launch, or make this one on the machine.',
    lines,
  };
}

function ownTrouble(fall: Fall, lines: string[]): ServerTrouble | null {
  if (lines.length === 0) return null;
  return { cause: fall.what, todo: 'Look at the last lines of its log: they say what it met.', lines };
}

function withoutId({ cause, todo, lines }: ServerTrouble): ServerTrouble {
  return { cause, todo, lines };
}
