import type { Problem, ProblemMark, Refusal, TestCase } from '../../preload/contract';
import { assertNever, failed, ok, type Result, shortText } from '../base';
import type { IdentifiedFile } from './identify-files';
import { textOf } from './import-file';
import { refusedImport } from './import-refusals';
import type { LineFile } from './line-file';
import { dateFit, type ImportOptions } from './logic/import-options';
import { type CountedNote, countedNotes, type ImportedRow } from './logic/imported-row';
import { testsOtherFunction } from './logic/other-function';
import { withinRowSize } from './logic/row-size';
import { failureText, pythonSources, type UnparsedTest } from './logic/unparsed-tests';
import { isWorkbenchHeader, type WorkbenchHeader, workbenchHeader } from './logic/workbench-rows';
import { PackedTestsError, packedTests, plainTests, splitOffField } from './private-tests';
import type { ProblemIndexWriter } from './problem-index';
import { addProblem } from './problem-writer';
import { bytesOf, type FileRow } from './row-splitter';
import type { TestParser } from './test-parser';

const OPEN_LIST = 0x5b;

const OTHER_FUNCTION = {
  reason: 'Its tests call no function that its statement names, so no answer can pass them.',
  exclude: false,
};

type PrivateTests = AsyncIterable<TestCase> | readonly TestCase[];

/**
 * LiveCodeBench's private tests: packed, or a JSON list in a string (its own loader tries this first). The list "[]"
 * has no character that JSON escapes, so it looks like packed tests.
 */
function privateTests(
  field: string,
  packed: readonly Buffer[] | null,
  row: FileRow,
  { entryPoint }: Problem,
): Result<PrivateTests, string> {
  const kind = entryPoint === null ? 'stdin' : 'call';
  if (packed !== null && packed[0]?.at(0) !== OPEN_LIST) return ok(packedTests(packed, kind));
  return plainTests(bytesOf(row).toString('utf8'), field, kind);
}

/** Where the problems go, and what checks their tests; null: nothing. */
export type ReaderDeps = {
  readonly lines: LineFile;
  readonly index: ProblemIndexWriter;
  readonly parser: TestParser | null;
};

/** Reads the rows of one import and collects what the benchmark's record needs. */
export class BenchmarkReader {
  readonly #options: ImportOptions;
  readonly #deps: ReaderDeps;
  readonly #locationOfId = new Map<string, { readonly file: string; readonly location: string }>();
  readonly #counts = new Map<CountedNote, number>();
  readonly #marks: ProblemMark[] = [];
  readonly #unparsed: UnparsedTest[] = [];
  #cpuSeconds = 0;
  #header: WorkbenchHeader | null = null;
  #rows = 0;

  constructor(options: ImportOptions, deps: ReaderDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  get header(): WorkbenchHeader | null {
    return this.#header;
  }

  get problems(): number {
    return this.#locationOfId.size;
  }

  get rows(): number {
    return this.#rows;
  }

  get cpuSeconds(): number {
    return this.#cpuSeconds;
  }

  /** Marks of the file's header and of its rows. */
  marks(): Result<readonly ProblemMark[], string> {
    const unparsed = this.unparsed().map(({ problemId, what }) => ({
      ...{ problemId, exclude: true },
      reason: shortText(`Python cannot parse a test, so no program can pass: ${what}.`, 500),
    }));
    const all = [...(this.#header?.marks ?? []), ...this.#marks, ...unparsed];
    const stray = all.find(({ problemId }) => !this.#locationOfId.has(problemId));
    if (stray !== undefined)
      return failed(`its header marks the problem "${stray.problemId}", which it does not have.`);
    return ok([...new Map(all.map((mark) => [mark.problemId, mark])).values()]);
  }

  /** Without those that a lab has left out of its studies before it exported them. */
  unparsed(): readonly UnparsedTest[] {
    const excluded = this.#header?.marks.filter(({ exclude }) => exclude) ?? [];
    const known = new Set(excluded.map(({ problemId }) => problemId));
    return this.#unparsed.filter(({ problemId }) => !known.has(problemId));
  }

  notes(): readonly string[] {
    return Object.entries(countedNotes).flatMap(([note, text]) => {
      const count = this.#counts.get(note as CountedNote) ?? 0;
      return count === 0 ? [] : [text(count)];
    });
  }

  async readRow(file: IdentifiedFile, row: FileRow): Promise<Refusal | null> {
    const problem = await this.#readRow(file, row);
    return problem === null ? null : refusedImport(file.path, `${row.location} ${problem}`);
  }

  #count(note: CountedNote, by = 1): void {
    this.#counts.set(note, (this.#counts.get(note) ?? 0) + by);
  }

  async #readRow(file: IdentifiedFile, row: FileRow): Promise<string | null> {
    const { form } = file;
    const { packedField: field } = form;
    const cut = field === undefined ? null : splitOffField(row, field);
    const whole = cut === null ? textOf(row) : withinRowSize(cut.rest);
    if (!whole.ok) return whole.error;
    const text = whole.value;
    if (form.format === 'workbench' && isWorkbenchHeader(text)) return this.#readHeader(text);
    this.#rows += 1;
    const read = form.read(text);
    if (!read.ok) return read.error;
    const { problem } = read.value;
    const earlier = this.#locationOfId.get(problem.id);
    if (earlier !== undefined) {
      const where = earlier.file === file.name ? earlier.location : `${earlier.location} of ${earlier.file}`;
      if (!form.keepsFirstOfRepeated) return `has the problem "${problem.id}" of ${where} again.`;
      this.#count('repeatedRows');
      return null;
    }
    if (!this.#isWanted(problem)) return null;
    const tests = field === undefined ? ok([]) : privateTests(field, cut?.packed ?? null, row, problem);
    if (!tests.ok) return tests.error;
    if (Array.isArray(tests.value) && tests.value.length + problem.privateTests.length === 0) {
      this.#count('withoutTests');
      return null;
    }
    this.#locationOfId.set(problem.id, { file: file.name, location: row.location });
    this.#addNotes(read.value);
    await this.#parseTests(problem, `${row.location} of ${file.name}`);
    return this.#write(problem, tests.value, field ?? '');
  }

  #isWanted(problem: Problem): boolean {
    const fit = dateFit(problem, this.#options);
    switch (fit) {
      case 'inside':
        return true;
      case 'outside':
        this.#count('outsideDates');
        return false;
      case 'unknown':
        this.#count('withoutDate');
        return false;
      default:
        return assertNever(fit);
    }
  }

  #addNotes({ problem, marks, counts, cpuSeconds }: ImportedRow): void {
    if (problem.publicTests.length === 0) this.#count('withoutPublicTests');
    for (const [note, count] of Object.entries(counts ?? {})) this.#count(note as CountedNote, count);
    for (const mark of marks ?? []) this.#marks.push({ problemId: problem.id, ...mark });
    if (testsOtherFunction(problem)) this.#marks.push({ problemId: problem.id, ...OTHER_FUNCTION });
    this.#cpuSeconds = Math.max(this.#cpuSeconds, cpuSeconds ?? 0);
  }

  async #parseTests(problem: Problem, location: string): Promise<void> {
    const { parser } = this.#deps;
    if (parser === null) return;
    let isChecked = true;
    for (const [source, name] of pythonSources(problem)) {
      const answer = await parser.parse(source);
      if (answer === 'unknown') isChecked = false;
      else if (answer !== 'parsed') {
        this.#count('unparsedTests');
        this.#unparsed.push({ location, problemId: problem.id, what: failureText(name, answer) });
        return;
      }
    }
    if (!isChecked) this.#count('uncheckedTests');
  }

  async #write(problem: Problem, further: PrivateTests, field: string): Promise<string | null> {
    try {
      this.#deps.index.add(problem, await addProblem(this.#deps.lines, problem, further));
      return null;
    } catch (error) {
      if (error instanceof PackedTestsError) return `has a "${field}" that ${error.message}`;
      throw error;
    }
  }

  #readHeader(text: string): string | null {
    if (this.#rows > 0 || this.#header !== null) return 'is a header; it has to be the first line.';
    const header = workbenchHeader(text);
    if (!header.ok) return header.error;
    this.#header = header.value;
    return null;
  }
}
