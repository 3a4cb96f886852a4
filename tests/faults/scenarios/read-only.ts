import { execFileSync } from 'node:child_process';
import { driveStudy } from '../harness/drive-study';
import { fileDigests } from '../harness/file-digests';
import { messageProblem } from '../harness/messages';
import type { Scenario } from '../harness/scenario';
import { settle } from '../harness/settle';
import { canMount, mountReadOnly } from '../harness/small-disk';
import { difference, TRAINING } from '../harness/workload';
import type { Workspace } from '../harness/workspace';

/** What is wrong, and what to do. */
export const NOT_WRITABLE = [/read-only|lacks the permission/, /--data/];

/** A study is cut off, the data folder becomes read-only, commands are refused and change nothing; then it is resumed. */
export function readOnly(seconds: number): Scenario {
  return {
    name: 'read-only',
    title: 'the data folder is read-only',
    simulated: null,
    seconds,
    run: async (context) => {
      const { site, check, count } = context;
      const workspace = await site.workspace();
      await driveStudy(context, {
        workspace,
        faults: 1,
        strike: async (_, session) => {
          // With something to lose.
          if ((await workspace.journals.size()) === 0) return false;
          session.kill('SIGKILL');
          await session.ended;
          return true;
        },
        repair: async () => {
          const before = await fileDigests(workspace.dataDir);
          const makeWritable = makeReadOnly(workspace);
          try {
            for (const words of commands(workspace)) {
              count();
              const ended = await workspace.run(words);
              check('words', messageProblem(ended, NOT_WRITABLE));
            }
          } finally {
            makeWritable();
          }
          check('kept', difference(await fileDigests(workspace.dataDir), before));
        },
      });
      await settle(context, workspace);
    },
  };
}

const commands = ({ outDir }: Workspace): readonly (readonly string[])[] => [
  ['studies', 'list'],
  ['resume', '--out', outDir],
  ['jobs', 'start', 'local', '--', 'true'],
  [...TRAINING],
];

/** The returned function makes it writable again. */
function makeReadOnly({ dataDir }: Workspace): () => void {
  if (canMount) return mountReadOnly(dataDir);
  // Root may write in spite of this, others not.
  execFileSync('chmod', ['-R', 'a-w', dataDir]);
  return () => void execFileSync('chmod', ['-R', 'u+w', dataDir]);
}
