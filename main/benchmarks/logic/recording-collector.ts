import type { Problem, RecordingFormat } from '../../../preload/contract';
import { counted, failed, ok, type Result, wholeProgram } from '../../base';
import type { RecordedProgram, RecordedRow } from './recorded-row';

/** A recorded program of a trace and its refinements, `next`, in the order of recording, with repeats. */
type Refined = { readonly program: string; readonly next: string[] };

/** A recording's programs for one problem. */
export type RecordedProblem = {
  readonly problemId: string;
  /** Independent attempts, or the first programs of traces. */
  readonly samples: readonly string[];
  /** null in a recording of independent samples. */
  readonly refined: readonly Refined[] | null;
};

export type RecordingCounts = {
  /** Rows that join no problem of the benchmark, or more than one. */
  readonly unknown: number;
  /** Rows that hold a problem and no program. */
  readonly withoutProgram: number;
  readonly refinements: number;
  /** Refinements that are the program they refine, word for word. */
  readonly repeats: number;
};

/** The program as it is graded: completed by the problem's code where the row has only a part. */
export function completeRecordedProgram({ kind, text }: RecordedProgram, problem: Problem): string {
  return kind === 'completion' ? problem.starterCode + text : wholeProgram(text, problem);
}

/**
 * Gathers rows by problem. The first row with a program settles `auto`: traces if it has refinements. Rows without a
 * program are accepted in traces, where a failed run leaves such rows, and refused among samples.
 */
export class RecordingCollector {
  readonly #join: (problem: RecordedRow['problem']) => Problem | null;
  readonly #samples: ReadonlyMap<string, string[]>;
  readonly #refined: ReadonlyMap<string, Map<string, Refined>>;
  #format: RecordingFormat;
  #withoutProgram: { readonly where: string }[] = [];
  #unknown = 0;
  #firstUnknown: string | null = null;
  #joined = 0;
  #traces = 0;
  #refinements = 0;
  #repeats = 0;
  /** Of all programs, those that repeat included. */
  characters = 0;

  constructor(
    problems: readonly Problem[],
    join: (problem: RecordedRow['problem']) => Problem | null,
    format: RecordingFormat,
  ) {
    this.#join = join;
    this.#format = format;
    this.#samples = new Map(problems.map(({ id }) => [id, []]));
    this.#refined = new Map(problems.map(({ id }) => [id, new Map()]));
  }

  /** The error is the end of a sentence that begins with where the row stands, or a whole one about another row. */
  add(row: RecordedRow, where: string): Result<null, { readonly where: string; readonly problem: string }> {
    if (row.trace === null && row.samples.length === 0) {
      this.#withoutProgram.push({ where });
      return this.#checkFormat();
    }
    if (this.#format === 'auto') this.#format = row.trace === null ? 'samples' : 'traces';
    if (row.trace !== null) this.#traces += 1;
    const problem = this.#join(row.problem);
    if (problem === null) {
      this.#unknown += 1;
      this.#firstUnknown ??= row.problem.by === 'id' ? `the problem "${row.problem.id}"` : 'a task in words';
      return this.#checkFormat();
    }
    this.#joined += 1;
    if (this.#format === 'samples') this.#addSamples(problem, row.samples);
    else this.#addTrace(problem, row.trace ?? [], row.samples);
    return this.#checkFormat();
  }

  #checkFormat(): ReturnType<RecordingCollector['add']> {
    const [first] = this.#withoutProgram;
    if (this.#format !== 'samples' || first === undefined) return ok(null);
    return failed({ where: first.where, problem: 'has neither "completion" nor "solution".' });
  }

  #addSamples(problem: Problem, samples: readonly RecordedProgram[]): void {
    for (const written of samples)
      this.#addProgram(this.#samples.get(problem.id), completeRecordedProgram(written, problem));
  }

  #addTrace(problem: Problem, trace: readonly RecordedProgram[], samples: readonly RecordedProgram[]): void {
    // An answer that was never refined is a trace of one program.
    if (trace.length === 0) {
      this.#addSamples(problem, samples);
      return;
    }
    const programs = trace.map((written) => completeRecordedProgram(written, problem));
    const refined = this.#refined.get(problem.id);
    programs.forEach((program, i) => {
      const before = programs[i - 1];
      if (before === undefined) {
        this.#addProgram(this.#samples.get(problem.id), program);
        return;
      }
      const entry = refined?.get(before) ?? { program: before, next: [] };
      refined?.set(before, entry);
      this.#addProgram(entry.next, program);
      this.#refinements += 1;
      if (program === before) this.#repeats += 1;
    });
  }

  #addProgram(list: string[] | undefined, program: string): void {
    list?.push(program);
    this.characters += program.length;
  }

  /** All that was gathered, in the benchmark's order. The error is a sentence about the whole file. */
  finish(): Result<
    {
      readonly format: 'samples' | 'traces';
      readonly problems: readonly RecordedProblem[];
    } & RecordingCounts,
    string
  > {
    if (this.#joined === 0) {
      const why =
        this.#firstUnknown === null
          ? 'none of its rows has a program.'
          : `none of its rows is for a problem of the benchmark; the first names ${this.#firstUnknown}.`;
      return failed(why);
    }
    if (this.#format === 'traces' && this.#traces === 0) {
      return failed(
        'none of its rows has "implementations", so it has no refinements. Import it as samples.',
      );
    }
    const format = this.#format === 'traces' ? 'traces' : 'samples';
    const problems = [...this.#samples].map(([problemId, samples]) => ({
      problemId,
      samples,
      refined: format === 'samples' ? null : [...(this.#refined.get(problemId)?.values() ?? [])],
    }));
    return ok({
      format,
      problems,
      unknown: this.#unknown,
      withoutProgram: this.#withoutProgram.length,
      refinements: this.#refinements,
      repeats: this.#repeats,
    });
  }
}

/** Describes the origin of a recording for people: its kind, its file and its irregularities. */
export function sourceOf(
  name: string,
  {
    format,
    unknown,
    withoutProgram,
    refinements,
    repeats,
  }: { readonly format: 'samples' | 'traces' } & RecordingCounts,
  further: readonly string[],
): string {
  const notes = [
    repeats > 0
      ? `${repeats} of ${counted(refinements, 'refinement repeats the program it refines', 'refinements repeat the program they refine')}`
      : '',
    withoutProgram > 0 ? `${counted(withoutProgram, 'row')} without a program` : '',
    unknown > 0 ? `${counted(unknown, 'row')} left out that join no problem of the benchmark` : '',
    ...further,
  ].filter((note) => note !== '');
  return [`${format} from ${name}`, ...notes].join('; ');
}
