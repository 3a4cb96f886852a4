import type { Benchmark, GradingLimits, Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { readImportLines } from './import-file';
import type { LineFile } from './line-file';
import { humanEvalProblem } from './logic/humaneval';
import { importName } from './logic/import-names';
import { refusedImport } from './refused-import';

/** The original gives 3 s of time in all; the wall limit is wider so that a busy machine changes no verdict. */
export const humanEvalLimits: GradingLimits = {
  cpuSeconds: 3,
  wallSeconds: 15,
  memoryBytes: 4 * 1024 ** 3,
  processes: 16,
  outputBytes: 1024 ** 2,
};

function notesOf(withoutPublicTests: number, contradicted: number): string[] {
  const notes: string[] = [];
  if (withoutPublicTests > 0) {
    const problems = withoutPublicTests === 1 ? '1 problem has' : `${withoutPublicTests} problems have`;
    notes.push(`${problems} no public tests: every candidate of theirs has the public score 0.`);
  }
  if (contradicted > 0) {
    const examples = contradicted === 1 ? '1 docstring example is' : `${contradicted} docstring examples are`;
    notes.push(`${examples} left out because the private tests contradict them.`);
  }
  return notes;
}

/** Reads a HumanEval file, plain or gzipped, and writes its problems. */
export async function readHumanEval(
  path: string,
  importedAt: string,
  lines: LineFile,
): Promise<Result<(id: string, digest: string) => Benchmark, Refusal>> {
  const lineOfId = new Map<string, number>();
  let withoutPublicTests = 0;
  let contradicted = 0;
  const read = await readImportLines(path, async (line, number) => {
    const parsed = humanEvalProblem(line);
    if (!parsed.ok) return refusedImport(path, `line ${number} ${parsed.error}`);
    const { problem, contradictedExamples } = parsed.value;
    const earlier = lineOfId.get(problem.id);
    if (earlier !== undefined) {
      return refusedImport(path, `line ${number} has the problem "${problem.id}" of line ${earlier} again.`);
    }
    lineOfId.set(problem.id, number);
    if (problem.publicTests.length === 0) withoutPublicTests += 1;
    contradicted += contradictedExamples;
    await lines.add(problem);
    return null;
  });
  if (!read.ok) return read;
  if (read.value === 0) return failed(refusedImport(path, 'it has no problems in it, only blank lines.'));
  return ok((id, digest) => ({
    id,
    name: importName(path),
    scale: 'paper',
    problems: lineOfId.size,
    digest,
    source: `HumanEval's format, from the file ${path.split(/[\\/]/).at(-1) ?? path}`,
    importedAt,
    limits: humanEvalLimits,
    notes: notesOf(withoutPublicTests, contradicted),
  }));
}
