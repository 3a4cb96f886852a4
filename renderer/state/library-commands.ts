import type { Payload } from '../../preload/contract/commands/index';
import type { Benchmark } from '../../preload/contract/problem';
import type { Answer, Refusal } from '../../preload/contract/refusal';
import type { WorkbenchClient } from '../workbench-client';
import type { Notices } from './notices';
import type { Tasks } from './tasks';

/** Imports through a file dialog of main; the result becomes a notice. */
export type LibraryCommands = {
  /** Also returns a refusal for the form. */
  readonly importBenchmark: (options?: Payload<'import.chooseBenchmark'>) => Promise<Refusal | null>;
  readonly importFromHub: (request: Payload<'import.hub'>) => Promise<Refusal | null>;
  readonly importRecording: (benchmarkId: string) => Promise<void>;
  readonly mark: (request: Payload<'benchmark.mark'>) => Promise<void>;
};

export function createLibraryCommands(
  client: WorkbenchClient,
  notices: Notices,
  tasks: Tasks,
): LibraryCommands {
  const showImported = (answer: Answer<Benchmark>): Refusal | null => {
    if (!answer.ok) {
      notices.showRefusal(answer.error);
      return answer.error;
    }
    const { name, problems } = answer.value;
    notices.show({ level: 'info', message: `Imported the benchmark ${name}: ${problems} problems.` });
    return null;
  };
  return {
    importBenchmark: async (options = {}) =>
      showImported(await tasks.run('import', () => client.call('import.chooseBenchmark', options))),
    importFromHub: async (request) =>
      showImported(await tasks.run('import', () => client.call('import.hub', request))),
    importRecording: async (benchmarkId) => {
      const answer = await tasks.run('import', () => client.call('import.chooseRecording', { benchmarkId }));
      if (!answer.ok) return notices.showRefusal(answer.error);
      const { name, problems, samples, refinements } = answer.value;
      const more = refinements > 0 ? ` and ${refinements} refinements` : '';
      notices.show({
        level: 'info',
        message: `Imported the recording ${name}: ${samples} samples${more} of ${problems} problems.`,
      });
    },
    mark: async (request) => {
      const answer = await client.call('benchmark.mark', request);
      if (!answer.ok) notices.showRefusal(answer.error);
    },
  };
}
