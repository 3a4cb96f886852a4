import type { Problem, Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { refusedImport } from './import-refusals';
import { problemMatcher } from './logic/match-problems';
import { recordedRow } from './logic/recorded-row';
import { completeRecordedProgram } from './logic/recording-collector';
import { readRows } from './recorded-rows';
import type { ReadTable } from './table-reader';

/** A row of a file of samples with its programs as they would be graded, in the row's order; of a trace all of them. */
export type RowOfPrograms = {
  readonly row: unknown;
  /** e.g. "line 7" */
  readonly where: string;
  /** null: the row joins no problem of the benchmark, and `programs` is empty. */
  readonly problem: Problem | null;
  /** What the row itself names: a task id, or the text of a task. */
  readonly named: string;
  readonly programs: readonly string[];
};

/** Rows and programs are held until all are graded. */
const MAX_CHARACTERS = 512 * 1024 ** 2;

/** The rows of a file of samples, in any form that docs/recordings.md lists. */
export async function readRecordedPrograms({
  path,
  problems,
  readTable,
}: {
  readonly path: string;
  readonly problems: readonly Problem[];
  readonly readTable?: ReadTable | undefined;
}): Promise<Result<readonly RowOfPrograms[], Refusal>> {
  const join = problemMatcher(problems);
  const rows: RowOfPrograms[] = [];
  let characters = 0;
  const take = (row: unknown, where: string): Refusal | null => {
    const read = recordedRow(row);
    if (!read.ok) return refusedImport(path, `${where} ${read.error}`);
    const problem = join(read.value.problem);
    const recorded = problem === null ? [] : (read.value.trace ?? read.value.samples);
    const programs =
      problem === null ? [] : recorded.map((sample) => completeRecordedProgram(sample, problem));
    const { problem: own } = read.value;
    rows.push({ row, where, problem, programs, named: own.by === 'id' ? own.id : own.statement });
    characters += programs.reduce((sum, program) => sum + program.length, 0);
    if (characters <= MAX_CHARACTERS) return null;
    return refusedImport(
      path,
      `its programs have more than ${MAX_CHARACTERS} characters.`,
      'Grade it in parts.',
    );
  };
  const read = await readRows(path, { take, note: () => undefined }, readTable);
  if (!read.ok) return read;
  if (rows.some(({ problem }) => problem !== null)) return ok(rows);
  return failed(
    refusedImport(path, 'none of its rows names a problem of this benchmark.', 'Name another benchmark.'),
  );
}
