import { roundToMicroseconds, truncateBytes } from './frame-report';
import type { CandidateWork, RunnerReport } from './logic/runner-work';
import { CALL_TEST, CHECK_TEST, commonFrame, NO_ENTRY_POINT, STDIN_TEST } from './runner-frames';

// Frames to and from the common process; the Python side is resources/grader/mars2_grader/common_process.py.

const HEAD_BYTES = 20;
const TEST_BYTES = 17;
const ENDS = ['finished', 'error', 'no-json'] as const;
const KINDS = { stdin: STDIN_TEST, call: CALL_TEST, check: CHECK_TEST } as const;

/** A candidate whose tests may all run in a common process. */
export type CommonWork = CandidateWork & {
  readonly kind: keyof typeof KINDS;
  /** Inputs, or the sources of checks. */
  readonly texts: readonly string[];
  /** Tests after the first failure are not wanted. */
  readonly stops: boolean;
};

/** null: the tests are not all of one simple kind. */
export function commonWorkOf(work: CandidateWork, stops: boolean): CommonWork | null {
  const kind = work.runnerTests[0]?.kind;
  if (kind !== 'stdin' && kind !== 'call' && kind !== 'check') return null;
  const texts: string[] = [];
  for (const ask of work.runnerTests) {
    if (ask.kind !== kind) return null;
    if (ask.kind === 'check') texts.push(ask.source);
    else if (ask.kind === 'stdin' || ask.kind === 'call') texts.push(ask.input);
  }
  return { ...work, kind, texts, stops };
}

export function frameOf(work: CommonWork, processBase: number, isLast: boolean): Buffer {
  const { kind, texts, stops, entryPoint, limits } = work;
  const program = Buffer.from((entryPoint ?? '') + work.program);
  const inputs = texts.map((text) => Buffer.from(text));
  const head = Buffer.alloc(HEAD_BYTES + 4 * inputs.length);
  head.writeUInt8(KINDS[kind], 0);
  head.writeUInt8(stops ? 1 : 0, 1);
  head.writeUInt16LE(entryPoint === null ? NO_ENTRY_POINT : Buffer.byteLength(entryPoint), 2);
  head.writeUInt32LE(program.length, 4);
  head.writeUInt32LE(inputs.length, 8);
  head.writeBigUInt64LE(BigInt(limits.outputBytes), 12);
  for (const [i, input] of inputs.entries()) head.writeUInt32LE(input.length, HEAD_BYTES + 4 * i);
  return commonFrame(Buffer.concat([head, program, ...inputs]), limits, processBase, isLast);
}

/** The reports on a candidate's first tests. null: the data is malformed. */
export function reportsOf(data: Buffer, work: CommonWork): readonly RunnerReport[] | null {
  const reports: RunnerReport[] = [];
  for (let at = 0; at < data.length; ) {
    if (at + TEST_BYTES > data.length || reports.length >= work.texts.length) return null;
    const end = ENDS[data.readUInt8(at)];
    const [cpuMs, wallMs] = [data.readFloatLE(at + 1), data.readFloatLE(at + 5)];
    const from = at + TEST_BYTES;
    const middle = from + data.readUInt32LE(at + 9);
    at = middle + data.readUInt32LE(at + 13);
    if (end === undefined || at > data.length) return null;
    const times = { cpuMs: roundToMicroseconds(cpuMs), wallMs: roundToMicroseconds(wallMs) };
    const error = end === 'error' ? data.toString('utf8', middle, at) : null;
    reports.push({ end, output: outputOf(data.subarray(from, middle), end, work.kind), error, ...times });
  }
  return reports;
}

function outputOf(data: Buffer, end: (typeof ENDS)[number], kind: CommonWork['kind']): string | null {
  if (kind === 'stdin') return end === 'finished' ? data.toString('utf8') : truncateBytes(data);
  return end === 'error' || kind === 'check' ? null : data.toString('utf8');
}
