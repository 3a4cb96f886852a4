import { failed, ok, type Result } from '../../base';

export type ServerArguments = {
  /** What answers, and the file it answers from. */
  readonly source:
    | { readonly kind: 'pocket'; readonly checkpointPath: string }
    | { readonly kind: 'reward'; readonly checkpointPath: string }
    | { readonly kind: 'recorded'; readonly recordingPath: string };
  readonly model: string;
  /** 0: the system picks one. */
  readonly port: number;
  readonly portFile: string | null;
  /** Milliseconds that every answer takes longer than it needs. */
  readonly latencyMs: number;
  /** Decides the order of recorded samples. */
  readonly seed: number;
  /** Requests under way before others are sent away with 429. */
  readonly maxWaiting: number;
};

export const SERVER_USAGE = `model-server: an OpenAI-compatible chat-completions server on 127.0.0.1, or one of rewards (POST /v1/score)

  --kind pocket|recorded|reward  what answers
  --checkpoint FILE        the policy (kind pocket) or the reward model (kind reward)
  --recording FILE         recorded programs, JSON lines {problemId, samples, refinements} (kind recorded)
  --model NAME             the name it is asked for by
  --port N                 0 to 65535; 0, the default, takes a free one
  --port-file FILE         where to write {"port", "pid"} once it listens
  --latency-ms X           hold every answer back so long; 0 to 600000, default 0
  --seed S                 whole number from 0; order of recorded samples, default 0
  --max-waiting N          requests under way before 429; default 1024
`;

const names = [
  'kind',
  'checkpoint',
  'recording',
  'model',
  'port',
  'port-file',
  'latency-ms',
  'seed',
  'max-waiting',
];

/** Reads the command line (without program and script); the error is a sentence to print. */
export function parseServerArguments(args: readonly string[]): Result<ServerArguments, string> {
  const given = new Map<string, string>();
  for (let i = 0; i < args.length; i += 2) {
    const name = args[i]?.replace(/^--/, '') ?? '';
    const value = args[i + 1];
    if (!args[i]?.startsWith('--') || !names.includes(name)) return failed(`Unknown argument "${args[i]}".`);
    if (value === undefined) return failed(`--${name} needs a value.`);
    if (given.has(name)) return failed(`--${name} is given twice.`);
    given.set(name, value);
  }
  const source = sourceOf(given);
  if (!source.ok) return source;
  const model = given.get('model');
  if (model === undefined || model === '') return failed('--model is missing: the name that requests use.');
  const port = numberOf(given, 'port', { fallback: 0, from: 0, to: 65_535, whole: true });
  if (!port.ok) return port;
  const latencyMs = numberOf(given, 'latency-ms', { fallback: 0, from: 0, to: 600_000, whole: false });
  if (!latencyMs.ok) return latencyMs;
  const seed = numberOf(given, 'seed', { fallback: 0, from: 0, to: Number.MAX_SAFE_INTEGER, whole: true });
  if (!seed.ok) return seed;
  const maxWaiting = numberOf(given, 'max-waiting', { fallback: 1024, from: 1, to: 100_000, whole: true });
  if (!maxWaiting.ok) return maxWaiting;
  return ok({
    source: source.value,
    model,
    port: port.value,
    portFile: given.get('port-file') ?? null,
    latencyMs: latencyMs.value,
    seed: seed.value,
    maxWaiting: maxWaiting.value,
  });
}

function sourceOf(given: ReadonlyMap<string, string>): Result<ServerArguments['source'], string> {
  const [kind, checkpointPath, recordingPath] = [
    given.get('kind'),
    given.get('checkpoint'),
    given.get('recording'),
  ];
  if (kind === 'pocket' || kind === 'reward') {
    if (recordingPath !== undefined) return failed(`--recording belongs to --kind recorded, not ${kind}.`);
    if (checkpointPath === undefined) return failed(`--kind ${kind} needs --checkpoint FILE.`);
    return ok({ kind, checkpointPath });
  }
  if (kind === 'recorded') {
    if (checkpointPath !== undefined) return failed('--checkpoint belongs to --kind pocket, not recorded.');
    if (recordingPath === undefined) return failed('--kind recorded needs --recording FILE.');
    return ok({ kind, recordingPath });
  }
  return failed(
    kind === undefined
      ? '--kind is missing: pocket, recorded or reward.'
      : `--kind is pocket, recorded or reward, not "${kind}".`,
  );
}

function numberOf(
  given: ReadonlyMap<string, string>,
  name: string,
  range: { readonly fallback: number; readonly from: number; readonly to: number; readonly whole: boolean },
): Result<number, string> {
  const text = given.get(name);
  if (text === undefined) return ok(range.fallback);
  const value = text.trim() === '' ? Number.NaN : Number(text);
  const fits = value >= range.from && value <= range.to && (!range.whole || Number.isInteger(value));
  if (fits) return ok(value);
  return failed(
    `--${name} is a ${range.whole ? 'whole ' : ''}number from ${range.from} to ${range.to}, not "${text}".`,
  );
}
