import type { Benchmark, Recording, Refusal, WorkbenchEvent } from '../../../preload/contract/index';
import { type Emitter, ok, type Result } from '../../base/index';
import type { BenchmarkLibrary, Imported } from '../../benchmarks/index';
import type { Handlers } from '../dispatch';
import { gradeRows, writeGradedRows } from '../grade-file';
import type { GraderProvider } from '../grader-provider';
import type { LongTasks } from '../long-tasks';

/** Benchmarks and recordings: reading, importing, marking problems. */
export function libraryHandlers(deps: {
  readonly library: BenchmarkLibrary;
  /** One problem with its tests, also of a benchmark that only a bundle knows. */
  readonly problem: BenchmarkLibrary['problem'];
  readonly tasks: LongTasks;
  readonly events: Emitter<WorkbenchEvent>;
  readonly grader: Pick<GraderProvider, 'open'>;
}): Handlers {
  const { library, tasks, events } = deps;

  const imported = <T extends { id: string }>(result: Result<Imported<T>, Refusal>): Result<T, Refusal> => {
    if (!result.ok) return result;
    const { value, alreadyPresent } = result.value;
    const message = `This file was already imported as "${value.id}"; nothing was changed.`;
    if (alreadyPresent) events.emit({ kind: 'notice', level: 'info', message });
    else events.emit({ kind: 'library-changed' });
    return ok(value);
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

  return {
    'benchmark.list': async () => ok([...library.list()]),
    'benchmark.problem': ({ benchmarkId, problemId }) => deps.problem(benchmarkId, problemId),
    'benchmark.mark': async ({ benchmarkId, problemId, mark }) => {
      const marked = await library.mark(benchmarkId, problemId, mark);
      if (marked.ok) events.emit({ kind: 'library-changed' });
      return marked;
    },
    'recording.list': async () => ok([...library.recordings()]),
    'import.benchmark': (request) =>
      importing((progress) => library.importBenchmark({ ...request, ...progress })),
    'import.hub': (request) => importing((progress) => library.importFromHub({ ...request, ...progress })),
    'grader.gradeFile': async ({ path, benchmarkId, out, overwrite }) => {
      const benchmark = await library.find(benchmarkId);
      if (!benchmark.ok) return benchmark;
      const rows = await library.recordedPrograms(path, benchmark.value.id);
      if (!rows.ok) return rows;
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
