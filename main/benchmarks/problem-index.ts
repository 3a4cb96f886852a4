import { open, readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type Problem, type ProblemOutline, problemOutlineSchema } from '../../preload/contract';
import type { LineLocation } from './line-file';

const entrySchema = problemOutlineSchema.extend({
  offset: z.number().int().nonnegative(),
  digest: z.string(),
});
const indexSchema = z.object({ version: z.literal(1), problems: z.array(entrySchema) });
export type ProblemIndex = ReadonlyArray<z.infer<typeof entrySchema>>;

export function outlineOf(problem: Problem, bytes: number): ProblemOutline {
  const { id, title, difficulty, platform, date, publicTests } = problem;
  return {
    id,
    title,
    difficulty,
    platform: platform ?? null,
    date,
    publicTests: publicTests.length,
    bytes,
  };
}

/** Gathers where each problem stands, while they are written. */
export class ProblemIndexWriter {
  readonly #problems: Array<z.infer<typeof entrySchema>> = [];

  add(problem: Problem, location: LineLocation): void {
    this.#problems.push({
      ...outlineOf(problem, location.bytes),
      offset: location.offset,
      digest: location.digest,
    });
  }

  async write(path: string): Promise<void> {
    const handle = await open(path, 'wx');
    try {
      await handle.writeFile(`${JSON.stringify({ version: 1, problems: this.#problems })}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

/** Null if it is missing (benchmarks of older versions) or damaged: then all problems are read. */
export async function readProblemIndex(path: string): Promise<ProblemIndex | null> {
  try {
    const parsed = indexSchema.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? parsed.data.problems : null;
  } catch {
    return null;
  }
}
