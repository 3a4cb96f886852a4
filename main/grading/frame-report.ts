import { constants } from 'node:os';
import { z } from 'zod';
import { parsedJsonWithin } from '../base';
import type { RunnerReport, RunnerTest } from './logic/runner-work';
import type { RunnerFrame } from './runner-frames';

/** Bytes kept at each end of an output that is only for people. */
const KEPT_BYTES = 4_096;

/** Both ends of an output, with the number of bytes left out between them. */
export function truncateBytes(data: Buffer): string {
  if (data.length <= 2 * KEPT_BYTES) return data.toString('utf8');
  const leftOut = data.length - 2 * KEPT_BYTES;
  const [head, tail] = [data.subarray(0, KEPT_BYTES), data.subarray(-KEPT_BYTES)];
  return `${head.toString('utf8')}\n... (${leftOut} bytes left out) ...\n${tail.toString('utf8')}`;
}

const childReportSchema = z.object({
  end: z.enum(['finished', 'no-json', 'error', 'memory']),
  output: z.string().nullish(),
  error: z.string().nullish(),
});
type ChildReport = z.infer<typeof childReportSchema>;
/** The candidate holds the pipe, so megabytes of anything may come instead of a report. */
const REPORT_SIZE = { depth: 1, parts: 16 };
type Frame = Extract<RunnerFrame, { kind: 'tested' }>;
/** A frame of a test that was run. */
type Tested = Omit<Frame, 'reason'> & {
  readonly reason: Exclude<Frame['reason'], 'again' | 'passed-over'>;
};

/** The report on a test from its frame: the output of a stdin test, else the report of the test's process. */
export function reportOf(frame: Tested, test: RunnerTest): RunnerReport {
  const isStdin = test.kind === 'stdin';
  const times = { cpuMs: roundToMicroseconds(frame.cpuMs), wallMs: roundToMicroseconds(frame.wallMs) };
  if (frame.reason === 'fault') {
    return { end: 'fault', output: null, error: frame.stderr.toString('utf8'), ...times };
  }
  if (frame.reason !== null) {
    return { end: frame.reason, output: truncateBytes(frame.stdout), error: null, ...times };
  }
  if (test.kind === 'reference') return callsReport(frame, test.pauseSeconds !== null, times);
  // After os._exit(0) the output written so far counts.
  const child: ChildReport | null =
    parseChildReport(frame.childReport) ?? (isStdin && frame.exitStatus === 0 ? { end: 'finished' } : null);
  if (child === null) {
    return { end: 'error', output: truncateBytes(frame.stdout), error: describeEnd(frame), ...times };
  }
  const output = !isStdin
    ? (child.output ?? null)
    : child.end === 'finished'
      ? frame.stdout.toString('utf8')
      : truncateBytes(frame.stdout);
  return { end: child.end, output, error: child.error ?? null, ...times };
}

/** Its process reported a line for each call, and how the test ended (functions.py). */
function callsReport(
  frame: Tested,
  mayPause: boolean,
  times: Pick<RunnerReport, 'cpuMs' | 'wallMs'>,
): RunnerReport {
  const end = frame.childReport.lastIndexOf('\n') + 1;
  let calls = frame.childReport.toString('utf8', 0, end);
  const child = parseChildReport(frame.childReport.subarray(end));
  if (child === null && mayPause && -frame.exitStatus === SIGVTALRM) calls += PAUSED;
  else if (child === null) return { end: 'error', output: null, error: describeEnd(frame), ...times };
  else if (child.end !== 'finished') {
    return { end: child.end, output: null, error: child.error ?? null, ...times };
  }
  return { end: 'finished', output: calls, error: null, ...times };
}

/** Linux's number, whatever the workbench runs on. */
const SIGVTALRM = 26;
const PAUSED = '{"end":"paused"}\n';

const FINISHED_LINE = Buffer.from('{"end": "finished"}');
const FINISHED: ChildReport = { end: 'finished' };

function parseChildReport(data: Buffer): ChildReport | null {
  if (data.length === 0) return null;
  if (data.equals(FINISHED_LINE)) return FINISHED;
  const report = childReportSchema.safeParse(parsedJsonWithin(data.toString('utf8'), REPORT_SIZE));
  return report.success ? report.data : null;
}

function describeEnd({ exitStatus, stderr }: Tested): string {
  const text =
    exitStatus < 0
      ? `The program was ended by ${signalName(-exitStatus)}.`
      : `The program ended itself with exit code ${exitStatus} before the test was done.`;
  const tail = stderr.toString('utf8').trim();
  return tail === '' ? text : `${text}\n${tail}`;
}

function signalName(number: number): string {
  const signal = Object.entries(constants.signals).find(([, value]) => value === number);
  return signal?.[0] ?? `signal ${number}`;
}

export function roundToMicroseconds(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
