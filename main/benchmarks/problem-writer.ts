import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Benchmark, Problem, Refusal, TestCase } from '../../preload/contract';
import { canonicalJson, failed, ok, type Result } from '../base';
import { reasonOf } from '../storage';
import type { LineFile, LineLocation } from './line-file';
import { headerLine } from './logic/workbench-rows';

/** The canonical JSON of a problem in parts, with further private tests behind those that it has. */
async function* partsOf(
  problem: Problem,
  further: AsyncIterable<TestCase> | Iterable<TestCase>,
): AsyncIterable<string> {
  const { privateTests, ...rest } = problem;
  const json = canonicalJson({ ...rest, privateTests: [] });
  const key = '"privateTests":[';
  const at = locationOfPrivateTests(rest) + key.length;
  yield json.slice(0, at);
  let separator = '';
  for (const test of privateTests) {
    yield separator + canonicalJson(test);
    separator = ',';
  }
  for await (const test of further) {
    yield separator + canonicalJson(test);
    separator = ',';
  }
  yield json.slice(at);
}

/** Index of the key in the canonical JSON: behind all fields that sort before it, whatever texts are in them. */
function locationOfPrivateTests(rest: Omit<Problem, 'privateTests'>): number {
  const before = Object.entries(rest).filter(([key]) => key < 'privateTests');
  return canonicalJson(Object.fromEntries(before)).length - 1 + (before.length > 0 ? 1 : 0);
}

/** Writes a problem whose further private tests are still to be unpacked. */
export function addProblem(
  lines: LineFile,
  problem: Problem,
  further: AsyncIterable<TestCase> | Iterable<TestCase>,
): Promise<LineLocation> {
  return lines.addParts(partsOf(problem, further));
}

/** Writes a benchmark in the workbench's own form: its record in the first line, then a problem a line. */
export async function writeBenchmark(
  benchmark: Benchmark,
  problemsPath: string,
  target: string,
): Promise<Result<{ readonly path: string; readonly problems: number }, Refusal>> {
  const path = resolve(target);
  const partial = join(dirname(path), `.${basename(path)}.part`);
  async function* content(): AsyncIterable<Buffer> {
    yield Buffer.from(`${headerLine(benchmark)}\n`);
    yield* createReadStream(problemsPath) as AsyncIterable<Buffer>;
  }
  try {
    const file = createWriteStream(partial);
    if (path.endsWith('.gz')) await pipeline(content, createGzip(), file);
    else await pipeline(content, file);
    const written = await open(partial, 'r');
    await written.sync().finally(() => written.close());
    await rename(partial, path);
    return ok({ path, problems: benchmark.problems });
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined); // the first cause is the one to report
    return failed({
      code: 'unavailable',
      message: `The benchmark "${benchmark.id}" was not written to ${path}: ${reasonOf(error)}.`,
    });
  }
}
