import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { type Benchmark, type Problem, problemSchema, type Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { LineSplitter, reasonOf } from '../storage';
import { ListDigest } from './line-file';
import type { ProblemIndex } from './problem-index';

const CHUNK_BYTES = 1024 * 1024;
/** V8 allows no string of more than 2^29 - 24 characters; an import refuses a problem with a line near it. */
const MAX_LINE_BYTES = 2 ** 29 - 2 ** 20;
/** What may be in memory at once: it takes two to three times as much while it is read. */
const MAX_ALL_BYTES = 1024 ** 3;

type LineTaker = (line: Buffer) => void;

async function eachLine(handle: FileHandle, take: LineTaker): Promise<void> {
  const splitter = new LineSplitter(MAX_LINE_BYTES);
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES);
    if (bytesRead === 0) return;
    for (const line of splitter.push(buffer.subarray(0, bytesRead))) take(line.bytes);
  }
}

function problemOf(line: Buffer): Problem {
  return problemSchema.parse(JSON.parse(line.toString('utf8')));
}

function unreadable({ id }: Benchmark, path: string, why: string): Refusal {
  return {
    code: 'bad-input',
    message: `The problems of the benchmark "${id}" cannot be read from ${path}: ${why}. Remove that folder and import the benchmark again.`,
    cause: 'file',
  };
}

async function withProblemFile<T>(
  path: string,
  benchmark: Benchmark,
  read: (handle: FileHandle) => Promise<Result<T, string>>,
): Promise<Result<T, Refusal>> {
  let why: string;
  try {
    const handle = await open(path, 'r');
    try {
      const result = await read(handle);
      if (result.ok) return result;
      why = result.error;
    } finally {
      await handle.close();
    }
  } catch (error) {
    why = error instanceof Error && 'code' in error ? reasonOf(error) : 'it is damaged';
  }
  return failed(unreadable(benchmark, path, why));
}

/**
 * The problems of a benchmark, refused when they are not the ones whose digest the benchmark has, or when they are
 * too many to be in memory at once.
 */
export async function readProblems(
  path: string,
  benchmark: Benchmark,
): Promise<Result<readonly Problem[], Refusal>> {
  let tooLarge: Refusal | null = null;
  const read = await withProblemFile(path, benchmark, async (handle) => {
    const { size } = await handle.stat();
    if (size > MAX_ALL_BYTES) {
      tooLarge = {
        code: 'bad-input',
        message: `The benchmark "${benchmark.id}" has ${(size / 1024 ** 3).toFixed(1)} GB of problems and tests, more than is read at once. Import a part of it: name the first and last day of its contests.`,
      };
      return failed('it is too large');
    }
    const digest = new ListDigest();
    const problems: Problem[] = [];
    await eachLine(handle, (line) => {
      // Lines are written as canonical JSON, so the digest covers exactly their bytes.
      digest.add(line);
      problems.push(problemOf(line));
    });
    const isSame = digest.finish() === benchmark.digest && problems.length === benchmark.problems;
    return isSame ? ok(problems) : failed('it was changed after its import');
  });
  return tooLarge === null ? read : failed(tooLarge);
}

async function readExactly(handle: FileHandle, offset: number, bytes: number): Promise<Buffer | null> {
  const buffer = Buffer.allocUnsafe(bytes);
  let filled = 0;
  while (filled < bytes) {
    const { bytesRead } = await handle.read(buffer, filled, bytes - filled, offset + filled);
    if (bytesRead === 0) return null;
    filled += bytesRead;
  }
  return buffer;
}

/** One problem with its tests, refused when its line is not the one that was imported. */
export function readProblem(
  path: string,
  benchmark: Benchmark,
  { offset, bytes, digest }: ProblemIndex[number],
): Promise<Result<Problem, Refusal>> {
  return withProblemFile(path, benchmark, async (handle) => {
    const line = await readExactly(handle, offset, bytes);
    const isSame = line !== null && createHash('sha256').update(line).digest('hex') === digest;
    return isSame ? ok(problemOf(line)) : failed('it was changed after its import');
  });
}
