import {
  type Benchmark,
  type LibraryItem,
  PROBLEM_PAGE,
  type Recording,
  type Refusal,
  removalProblem,
  type StudyView,
  type WorkbenchEvent,
} from '../../../preload/contract/index';
import { type Emitter, failed, ok, type Result } from '../../base/index';
import { type BenchmarkLibrary, type Imported, problemText } from '../../benchmarks/index';
import type { Handlers } from '../dispatch';
import { gradeRows, outputRefusal, writeGradedRows } from '../grade-file';
import type { GraderProvider } from '../grader-provider';
import type { LongTasks } from '../long-tasks';

/** Benchmarks and recordings: reading, importing, renaming, removing, marking problems. */
export function libraryHandlers(deps: {
  readonly library: BenchmarkLibrary;
  /** One problem with its tests, also of a benchmark that only a bundle knows. */
  readonly problem: BenchmarkLibrary['problem'];
  readonly tasks: LongTasks;
  readonly events: Emitter<WorkbenchEvent>;
  readonly grader: Pick<GraderProvider, 'open'>;
  readonly studies: { readonly list: () => readonly StudyView[] };
}): Handlers {
  const { library, tasks, events } = deps;

  const imported = <T extends Benchmark | Recording>(
    result: Result<Imported<T>, Refusal>,
  ): Result<T & { readonly alreadyPresent?: true }, Refusal> => {
    if (!result.ok) return result;
    const { value } = result.value;
    if (!result.value.alreadyPresent) {
      events.emit({ kind: 'library-changed' });
      return ok(value);
    }
    // Notes of this import on its files, e.g. on those that it left out.
    const { asRead } = result.value;
    return ok({ ...value, ...('notes' in asRead ? { notes: asRead.notes } : {}), alreadyPresent: true });
  };
  const importing = async <T extends Benchmark | Recording>(
    work: (progress: {
      readonly signal: AbortSignal;
      readonly onProgress: (progress: { activity: string; done: number; total: number | null }) => void;
    }) => Promise<Result<Imported<T>, Refusal>>,
  ): Promise<Result<T, Refusal>> =>
    imported(
      await tasks.run('import', (signal, report) =>
        work({ signal, onProgress: (progress) => report({ ...progress, unit: 'bytes' }) }),
      ),
    );

  const changing = async <T>(work: Promise<Result<T, Refusal>>): Promise<Result<T, Refusal>> => {
    const changed = await work;
    if (changed.ok) events.emit({ kind: 'library-changed' });
    return changed;
  };
  const removing = async (
    item: LibraryItem,
    remove: (id: string) => Promise<Result<null, Refusal>>,
  ): Promise<Result<null, Refusal>> => {
    const problem = removalProblem(item, deps.studies.list());
    return problem === null ? changing(remove(item.id)) : failed({ code: 'conflict', ...problem });
  };

  return {
    'benchmark.list': async () => ok([...library.list()]),
    'benchmark.problems': async ({ benchmarkId, from }) => {
      const outline = await library.outline(benchmarkId);
      if (!outline.ok) return outline;
      return ok({
        problems: outline.value.slice(from, from + PROBLEM_PAGE).map((problem) => ({ ...problem })),
        total: outline.value.length,
      });
    },
    'benchmark.problem': async ({ benchmarkId, problemId }) => {
      const problem = await deps.problem(benchmarkId, problemId);
      return problem.ok ? ok(problemText(problem.value)) : problem;
    },
    'benchmark.mark': ({ benchmarkId, changes }) => changing(library.mark(benchmarkId, changes)),
    'benchmark.rename': ({ benchmarkId, name }) => changing(library.rename(benchmarkId, name)),
    'benchmark.remove': ({ benchmarkId }) => removing({ kind: 'benchmark', id: benchmarkId }, library.remove),
    'recording.list': async () => ok([...library.recordings()]),
    'recording.rename': ({ recordingId, name }) => changing(library.renameRecording(recordingId, name)),
    'recording.remove': ({ recordingId }) =>
      removing({ kind: 'recording', id: recordingId }, library.removeRecording),
    'import.benchmark': (request) =>
      importing((progress) => library.importBenchmark({ ...request, ...progress })),
    'import.hub': (request) => importing((progress) => library.importFromHub({ ...request, ...progress })),
    'grader.gradeFile': async ({ path, benchmarkId, out, overwrite }) => {
      const refusal = out === null ? null : outputRefusal(out, overwrite);
      if (refusal !== null) return failed(refusal);
      const benchmark = await library.find(benchmarkId);
      if (!benchmark.ok) return benchmark;
      const rows = await library.recordedPrograms(path, benchmark.value.id);
      // It is read as an import reads it, but nothing is imported.
      if (!rows.ok) {
        const message = rows.error.message.replace(' was not imported: ', ' was not graded: ');
        return failed({ ...rows.error, message });
      }
      const opened = await deps.grader.open();
      if (!opened.ok) return opened;
      const graded = await tasks.run('grade-file', (signal, report) =>
        gradeRows({
          rows: rows.value,
          benchmark: benchmark.value,
          grader: opened.value,
          signal,
          onProgress: (done, total) => report({ activity: 'grading', done, total, unit: 'programs' }),
        }),
      );
      if (!graded.ok || out === null) return graded;
      const written = await writeGradedRows(out, rows.value, graded.value, overwrite);
      return written.ok ? graded : written;
    },
    'import.recording': (request) => importing(() => library.importRecording(request)),
  };
}
