import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Benchmark, Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { reasonOf } from '../storage';
import { headerLine } from './logic/workbench-rows';

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
    await rm(partial, { force: true }).catch(() => undefined);
    return failed({
      code: 'unavailable',
      message: `The benchmark "${benchmark.id}" was not written to ${path}: ${reasonOf(error)}.`,
    });
  }
}
