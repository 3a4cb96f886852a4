import type { WorkbenchClient } from '../workbench-client';
import type { Notices } from './notices';

/** Imports through a file dialog of main; what came of it is told as a notice. */
export type LibraryCommands = {
  readonly importBenchmark: () => Promise<void>;
  readonly importRecording: (benchmarkId: string) => Promise<void>;
};

export function createLibraryCommands(client: WorkbenchClient, notices: Notices): LibraryCommands {
  return {
    importBenchmark: async () => {
      const answer = await client.call('import.chooseBenchmark', {});
      if (!answer.ok) return notices.refused(answer.error);
      const { name, problems } = answer.value;
      notices.tell({ level: 'info', message: `Imported the benchmark ${name}: ${problems} problems.` });
    },
    importRecording: async (benchmarkId) => {
      const answer = await client.call('import.chooseRecording', { benchmarkId });
      if (!answer.ok) return notices.refused(answer.error);
      const { name, problems, samples } = answer.value;
      notices.tell({
        level: 'info',
        message: `Imported the recording ${name}: ${samples} samples of ${problems} problems.`,
      });
    },
  };
}
