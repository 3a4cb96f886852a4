import type { Benchmark, Recording, Refusal, WorkbenchEvent } from '../../../preload/contract/index';
import { type Emitter, ok, type Result } from '../../base/index';
import type { BenchmarkLibrary, Imported } from '../../benchmarks/index';
import type { Handlers } from '../dispatch';
import type { LongTasks } from '../long-tasks';

/** Benchmarks and recordings: looking at them, importing, marking. */
export function libraryHandlers(around: {
  readonly library: BenchmarkLibrary;
  /** One problem with its tests, also of a benchmark that only a bundle knows. */
  readonly problem: BenchmarkLibrary['problem'];
  readonly tasks: LongTasks;
  readonly events: Emitter<WorkbenchEvent>;
}): Handlers {
  const { library, tasks, events } = around;

  const imported = <T extends { id: string }>(result: Result<Imported<T>, Refusal>): Result<T, Refusal> => {
    if (!result.ok) return result;
    const { value, wasThere } = result.value;
    const message = `This file was imported before, as "${value.id}"; nothing was changed.`;
    if (wasThere) events.emit({ kind: 'notice', level: 'info', message });
    else events.emit({ kind: 'library-changed' });
    return ok(value);
  };
  const importing = async <T extends Benchmark | Recording>(
    work: (told: {
      readonly signal: AbortSignal;
      readonly onProgress: (progress: { what: string; done: number; total: number | null }) => void;
    }) => Promise<Result<Imported<T>, Refusal>>,
  ): Promise<Result<T, Refusal>> =>
    imported(
      await tasks.run('import', (signal, tell) =>
        work({ signal, onProgress: (progress) => tell({ ...progress, unit: 'bytes' }) }),
      ),
    );

  return {
    'benchmark.list': async () => ok([...library.list()]),
    'benchmark.problem': ({ benchmarkId, problemId }) => around.problem(benchmarkId, problemId),
    'benchmark.mark': async ({ benchmarkId, problemId, mark }) => {
      const marked = await library.mark(benchmarkId, problemId, mark);
      if (marked.ok) events.emit({ kind: 'library-changed' });
      return marked;
    },
    'recording.list': async () => ok([...library.recordings()]),
    'import.benchmark': (order) => importing((told) => library.importBenchmark({ ...order, ...told })),
    'import.hub': (order) => importing((told) => library.importFromHub({ ...order, ...told })),
    'import.recording': (order) => importing(() => library.importRecording(order)),
  };
}
