import type { GradingLimits } from '../../preload/contract';
import type { RunnerTest } from './logic/runner-work';
import type { TestProcess } from './logic/test-schedule';

/** Frames between the grader and a runner; the Python side is resources/grader/mars2_grader/wire.py. */
const REQUEST_BYTES = 48;
const REPORT_BYTES = 36;

const CANDIDATE = 1;
export const STDIN_TEST = 2;
const JSON_TEST = 3;
const END = 4;
export const CALL_TEST = 5;
export const CHECK_TEST = 6;
const COMMON = 7;
export const NO_ENTRY_POINT = 0xffff;

const TESTED = 2;

// Flags of a test, and of a report.
const STOPS = 1;
const SHARES = 2;
const STAYS = 4;
const AHEAD = 8;
const MORE = 16;
const SPENT = 1;
const SHARED = 2;
const STAYED = 4;

export type RunnerCandidate = {
  readonly program: string;
  readonly entryPoint: string | null;
  readonly limits: GradingLimits;
};

/** `processBase`: tasks other than the candidate's that count towards its limit on processes; -1: no limit. */
export function candidateFrame(candidate: RunnerCandidate, processBase: number): Buffer {
  const { program, entryPoint, limits } = candidate;
  const frame = withBody(CANDIDATE, (entryPoint ?? '') + program);
  frame.writeUInt16LE(entryPoint === null ? NO_ENTRY_POINT : Buffer.byteLength(entryPoint), 2);
  return withLimits(frame, limits, processBase);
}

/** A candidate with all its tests, for the common process; `isLast`: the last one of a batch. */
export function commonFrame(
  body: Buffer,
  limits: GradingLimits,
  processBase: number,
  isLast: boolean,
): Buffer {
  const frame = withBody(COMMON, body);
  frame.writeUInt8(isLast ? 0 : MORE, 1);
  return withLimits(frame, limits, processBase);
}

function withLimits(frame: Buffer, limits: GradingLimits, processBase: number): Buffer {
  frame.writeInt32LE(processBase >= 0 ? processBase + limits.processes : 0, 4);
  frame.writeDoubleLE(limits.cpuSeconds, 16);
  frame.writeDoubleLE(limits.wallSeconds, 24);
  frame.writeBigUInt64LE(BigInt(limits.memoryBytes), 32);
  frame.writeBigUInt64LE(BigInt(limits.outputBytes), 40);
  return frame;
}

export type TestOptions = {
  readonly way: TestProcess;
  /** The process may stay for the candidate's next test. */
  readonly stays: boolean;
  /** If this test does not finish, the runner skips the candidate's further tests. */
  readonly stops: boolean;
};

export function testFrame(test: RunnerTest, { way, stays, stops }: TestOptions): Buffer {
  const frame = frameWithoutFlags(test);
  const shares = way === 'alone' ? 0 : way === 'shared' ? SHARES : SHARES | AHEAD;
  frame.writeUInt8((stops ? STOPS : 0) | shares | (stays ? STAYS : 0), 1);
  return frame;
}

function frameWithoutFlags(test: RunnerTest): Buffer {
  switch (test.kind) {
    case 'stdin':
      return withBody(STDIN_TEST, test.input);
    case 'call':
      return withBody(CALL_TEST, test.input);
    case 'check':
      return withBody(CHECK_TEST, test.source);
    default:
      return withBody(JSON_TEST, JSON.stringify(test));
  }
}

export function endFrame(): Buffer {
  return withBody(END, '');
}

function withBody(kind: number, body: string | Buffer): Buffer {
  const bytes = Buffer.byteLength(body);
  const frame = Buffer.allocUnsafe(REQUEST_BYTES + bytes).fill(0, 0, REQUEST_BYTES);
  frame.writeUInt8(kind, 0);
  frame.writeBigUInt64LE(BigInt(bytes), 8);
  if (typeof body === 'string') frame.write(body, REQUEST_BYTES);
  else body.copy(frame, REQUEST_BYTES);
  return frame;
}

const REASONS = [null, 'time', 'memory', 'output', 'fault', 'again', 'passed-over'] as const;

/** A frame from a runner; `childReport` is the report of the test's own process, empty without one. */
export type RunnerFrame =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'tested';
      /**
       * The limit that was exceeded; `fault`: a system call of the runner failed, `stderr` has the error; `again`: the
       * test did not end regularly in a shared process; `passed-over`: it was not run.
       */
      readonly reason: (typeof REASONS)[number];
      /** Below 0: the number of the signal that ended it. */
      readonly exitStatus: number;
      /** The sandbox runs no further tests: something could not be removed. */
      readonly isSpent: boolean;
      /** Its process had run another test before. */
      readonly wasShared: boolean;
      /** Its process waits for the next one. */
      readonly hasStayed: boolean;
      readonly cpuMs: number;
      readonly wallMs: number;
      readonly stdout: Buffer;
      readonly stderr: Buffer;
      readonly childReport: Buffer;
    };

/** Assembles the frames of a runner from the chunks of its pipe. */
export class FrameReader {
  #pieces: Buffer[] = [];
  #held = 0;
  #wanted = REPORT_BYTES;

  push(data: Buffer): void {
    this.#pieces.push(data);
    this.#held += data.length;
  }

  /** null: not yet. */
  next(): RunnerFrame | null {
    if (this.#held < this.#wanted) return null;
    const data = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    if (data === undefined) return null;
    this.#pieces = [data];
    const [out, err, childReport] = [data.readUInt32LE(8), data.readUInt32LE(12), data.readUInt32LE(16)];
    this.#wanted = REPORT_BYTES + out + err + childReport;
    if (data.length < this.#wanted) return null;
    const rest = data.subarray(this.#wanted);
    this.#pieces = rest.length > 0 ? [rest] : [];
    this.#held = rest.length;
    this.#wanted = REPORT_BYTES;
    if (data.readUInt8(0) !== TESTED) return { kind: 'ready' };
    const from = REPORT_BYTES;
    const flags = data.readUInt32LE(4);
    return {
      kind: 'tested',
      reason: REASONS[data.readUInt8(1)] ?? null,
      exitStatus: data.readInt16LE(2),
      isSpent: (flags & SPENT) !== 0,
      wasShared: (flags & SHARED) !== 0,
      hasStayed: (flags & STAYED) !== 0,
      cpuMs: data.readDoubleLE(20),
      wallMs: data.readDoubleLE(28),
      stdout: data.subarray(from, from + out),
      stderr: data.subarray(from + out, from + out + err),
      childReport: data.subarray(from + out + err, from + out + err + childReport),
    };
  }
}
