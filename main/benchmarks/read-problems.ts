import { type FileHandle, open } from 'node:fs/promises';
import { type Benchmark, type Problem, problemSchema, type Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { LineSplitter, reasonOf } from '../store';
import { ListDigest } from './line-file';
import { canonicalJson } from './logic/canonical-json';

const CHUNK_BYTES = 1024 * 1024;
/** Above what an import takes in a line, for what the problem adds around it. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;

async function readAll(handle: FileHandle): Promise<{ problems: Problem[]; digest: string }> {
  const splitter = new LineSplitter(MAX_LINE_BYTES);
  const digest = new ListDigest();
  const problems: Problem[] = [];
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES);
    if (bytesRead === 0) return { problems, digest: digest.finish() };
    for (const line of splitter.push(buffer.subarray(0, bytesRead))) {
      const problem = problemSchema.parse(JSON.parse(line.bytes.toString('utf8')));
      digest.add(canonicalJson(problem));
      problems.push(problem);
    }
  }
}

/** The problems of a benchmark, refused when they are not the ones whose digest the benchmark has. */
export async function readProblems(
  path: string,
  benchmark: Benchmark,
): Promise<Result<readonly Problem[], Refusal>> {
  let why: string;
  try {
    const handle = await open(path, 'r');
    try {
      const { problems, digest } = await readAll(handle);
      if (digest === benchmark.digest && problems.length === benchmark.problems) return ok(problems);
      why = 'it was changed after its import';
    } finally {
      await handle.close();
    }
  } catch (error) {
    why = error instanceof Error && 'code' in error ? reasonOf(error) : 'it is damaged';
  }
  return failed({
    code: 'bad-input',
    message: `The problems of the benchmark "${benchmark.id}" can not be read from ${path}: ${why}. Remove that folder and import the benchmark again.`,
  });
}
