import { constants } from 'node:os';
import { z } from 'zod';
import type { RunnerReport } from './logic/runner-report';
import type { RunnerFrame } from './runner-frames';
import { shownEnds } from './shown-ends';

const toldSchema = z.object({
  end: z.enum(['finished', 'no-json', 'error', 'memory']),
  output: z.string().nullish(),
  error: z.string().nullish(),
});
type Told = z.infer<typeof toldSchema>;
type Frame = Extract<RunnerFrame, { kind: 'tested' }>;
/** A frame of a test that was run. */
type Tested = Omit<Frame, 'reason'> & {
  readonly reason: Exclude<Frame['reason'], 'again' | 'passed-over'>;
};

/** What the frame of one test means. `isStdin`: what it has written counts, else what its process told. */
export function reportOf(frame: Tested, isStdin: boolean): RunnerReport {
  const times = { cpuMs: thousandth(frame.cpuMs), wallMs: thousandth(frame.wallMs) };
  if (frame.reason === 'fault') {
    return { end: 'fault', output: null, error: frame.stderr.toString('utf8'), ...times };
  }
  if (frame.reason !== null) {
    return { end: frame.reason, output: shownEnds(frame.stdout), error: null, ...times };
  }
  // os._exit(0): what it has written counts.
  const told: Told | null =
    parseTold(frame.told) ?? (isStdin && frame.exitStatus === 0 ? { end: 'finished' } : null);
  if (told === null) {
    return { end: 'error', output: shownEnds(frame.stdout), error: howItEnded(frame), ...times };
  }
  const output = !isStdin
    ? (told.output ?? null)
    : told.end === 'finished'
      ? frame.stdout.toString('utf8')
      : shownEnds(frame.stdout);
  return { end: told.end, output, error: told.error ?? null, ...times };
}

const USUAL_WORDS = Buffer.from('{"end": "finished"}');
const USUAL: Told = { end: 'finished' };

function parseTold(data: Buffer): Told | null {
  if (data.length === 0) return null;
  if (data.equals(USUAL_WORDS)) return USUAL;
  try {
    const told = toldSchema.safeParse(JSON.parse(data.toString('utf8')));
    return told.success ? told.data : null;
  } catch {
    return null;
  }
}

function howItEnded({ exitStatus, stderr }: Tested): string {
  const text =
    exitStatus < 0
      ? `The program was ended by ${signalName(-exitStatus)}.`
      : `The program ended itself with exit code ${exitStatus} before the test was done.`;
  const tail = stderr.toString('utf8').trim();
  return tail === '' ? text : `${text}\n${tail}`;
}

function signalName(number: number): string {
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  return found?.[0] ?? `signal ${number}`;
}

function thousandth(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
