import { execFileSync } from 'node:child_process';
import { driveStudy } from '../harness/drive-study';
import { fileDigests } from '../harness/file-digests';
import { messageProblem } from '../harness/messages';
import type { Scenario } from '../harness/scenario';
import { settle } from '../harness/settle';
import { canMount, mountReadOnly } from '../harness/small-disk';
import { difference, TRAINING } from '../harness/workload';
import type { Workplace } from '../harness/workplace';

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
      const place = await site.workplace();
      await driveStudy(context, {
        place,
        faults: 1,
        strike: async (_, session) => {
          // With something to lose.
          if ((await place.journals.size()) === 0) return false;
          session.kill('SIGKILL');
          await session.ended;
          return true;
        },
        repair: async () => {
          const before = await fileDigests(place.dataDir);
          const makeWritable = makeReadOnly(place);
          try {
            for (const words of commands(place)) {
              count();
              const ended = await place.run(words);
              check('words', messageProblem(ended, NOT_WRITABLE));
            }
          } finally {
            makeWritable();
          }
          check('kept', difference(await fileDigests(place.dataDir), before));
        },
      });
      await settle(context, place);
    },
  };
}

const commands = ({ outDir }: Workplace): readonly (readonly string[])[] => [
  ['studies', 'list'],
  ['resume', '--out', outDir],
  ['jobs', 'start', 'local', '--', 'true'],
  [...TRAINING],
];

/** The returned function makes it writable again. */
function makeReadOnly({ dataDir }: Workplace): () => void {
  if (canMount) return mountReadOnly(dataDir);
  // Root may write in spite of this, others not.
  execFileSync('chmod', ['-R', 'a-w', dataDir]);
  return () => void execFileSync('chmod', ['-R', 'u+w', dataDir]);
}
