import type { Payload, Value } from '../../preload/contract/commands/index';
import { alreadyImportedText, counted, type LibraryItem } from '../../preload/contract/plans/index';
import type { Benchmark, MarkChange } from '../../preload/contract/problem';
import type { Answer, Refusal } from '../../preload/contract/refusal';
import type { WorkbenchClient } from '../workbench-client';
import type { Location } from './location';
import type { Notices } from './notices';
import type { Tasks } from './tasks';

/** Imports through a file dialog of main, and changes of the library; the result becomes a notice. */
export type LibraryCommands = {
  /** Returns a refusal; a notice says it too, unless it is shown in the dialog that asked. */
  readonly importBenchmark: (
    options?: Payload<'import.chooseBenchmark'>,
    inDialog?: boolean,
  ) => Promise<Refusal | null>;
  /** Returns a refusal for the dialog. */
  readonly importFromHub: (request: Payload<'import.hub'>) => Promise<Refusal | null>;
  readonly importRecording: (benchmarkId: string) => Promise<void>;
  readonly mark: (benchmarkId: string, changes: MarkChange[]) => Promise<void>;
  /** The notice offers undo. */
  readonly markMany: (benchmark: Benchmark, changes: MarkChange[]) => Promise<void>;
  /** Returns a refusal for the form. */
  readonly rename: (item: LibraryItem, name: string) => Promise<Refusal | null>;
  readonly remove: (item: LibraryItem, name: string) => Promise<void>;
};

export function createLibraryCommands(
  client: WorkbenchClient,
  notices: Notices,
  tasks: Tasks,
  location: Location,
): LibraryCommands {
  /** True: done. A refusal becomes a notice. */
  const setMarks = async (benchmarkId: string, changes: MarkChange[]): Promise<boolean> => {
    const answer = await client.call('benchmark.mark', { benchmarkId, changes });
    if (!answer.ok) notices.showRefusal(answer.error);
    return answer.ok;
  };
  const showImported = (answer: Answer<Value<'import.hub'>>): Refusal | null => {
    if (!answer.ok) return answer.error;
    const { id, name, problems, alreadyPresent } = answer.value;
    notices.show({
      level: 'info',
      message: alreadyPresent
        ? alreadyImportedText(id)
        : `Imported the benchmark ${name}: ${problems === 1 ? '1 problem' : `${problems.toLocaleString('en')} problems`}.`,
    });
    return null;
  };
  const importBenchmark: LibraryCommands['importBenchmark'] = async (options = {}, inDialog = false) => {
    const refusal = showImported(
      await tasks.run('import', () => client.call('import.chooseBenchmark', options)),
    );
    if (refusal === null || inDialog) return refusal;
    const importAnyway = {
      label: 'Import anyway',
      run: () => void importBenchmark({ ...options, markUnparsed: true }),
    };
    notices.showRefusal(refusal, undefined, refusal.cause === 'tests' ? importAnyway : undefined);
    return refusal;
  };
  return {
    importBenchmark,
    importFromHub: async (request) =>
      showImported(await tasks.run('import', () => client.call('import.hub', request))),
    importRecording: async (benchmarkId) => {
      const answer = await tasks.run('import', () => client.call('import.chooseRecording', { benchmarkId }));
      if (!answer.ok) return notices.showRefusal(answer.error);
      const { id, name, problems, samples, refinements, alreadyPresent } = answer.value;
      const more = refinements > 0 ? ` and ${counted(refinements, 'refinement')}` : '';
      notices.show({
        level: 'info',
        message: alreadyPresent
          ? alreadyImportedText(id)
          : `Imported the recording ${name}: ${counted(samples, 'sample')}${more} of ${counted(problems, 'problem')}.`,
      });
    },
    mark: async (benchmarkId, changes) => {
      await setMarks(benchmarkId, changes);
    },
    markMany: async ({ id, name, marks }, changes) => {
      if (!(await setMarks(id, changes))) return;
      const before = new Map(marks.map(({ problemId, ...mark }) => [problemId, mark]));
      const undo = changes.map(({ problemId }) => ({ problemId, mark: before.get(problemId) ?? null }));
      const count = changes.length === 1 ? '1 problem' : `${changes.length.toLocaleString('en')} problems`;
      notices.show({
        level: 'info',
        message: changes.some(({ mark }) => mark !== null)
          ? `Marked ${count} of ${name}.`
          : `Removed the marks of ${count} of ${name}.`,
        action: { label: 'Undo', run: () => void setMarks(id, undo) },
      });
    },
    rename: async ({ kind, id }, name) => {
      const answer =
        kind === 'benchmark'
          ? await client.call('benchmark.rename', { benchmarkId: id, name })
          : await client.call('recording.rename', { recordingId: id, name });
      return answer.ok ? null : answer.error;
    },
    remove: async ({ kind, id }, name) => {
      const answer =
        kind === 'benchmark'
          ? await client.call('benchmark.remove', { benchmarkId: id })
          : await client.call('recording.remove', { recordingId: id });
      if (!answer.ok) return notices.showRefusal(answer.error);
      const { route } = location.store.getState();
      if (route.kind === 'benchmark' && kind === 'benchmark' && route.benchmarkId === id)
        location.go({ kind: 'library' }, { replace: true });
      notices.show({ level: 'info', message: `Removed the ${kind} ${name}.` });
    },
  };
}
