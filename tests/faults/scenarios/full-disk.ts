import { join } from 'node:path';
import { driveStudy } from '../harness/drive-study';
import { messageProblem } from '../harness/messages';
import type { FaultContext, Scenario } from '../harness/scenario';
import { settle } from '../harness/settle';
import { canMount, mountSmallDisk } from '../harness/small-disk';

/** All that a study needs, and room for what fills it. */
export const DISK_BYTES = 8_000_000;
/** What may be left when the disk fills: from nothing to more than a batch of nodes. */
const MAX_LEFT_BYTES = 60_000;
export const FULL = [/the disk is full|disk there is full|\(ENOSPC\)/];

/** The disk of the data folder fills while a study runs; then somebody makes room. */
export function fullDisk(studies: number, seconds: number): Scenario {
  return {
    name: 'disk',
    title: canMount ? 'the disk is full' : 'files may not grow',
    simulated: canMount
      ? null
      : 'the full disk, by a limit on the size of files (only root can mount a small disk)',
    seconds,
    run: async (context) => {
      for (let done = 0; done < studies && !context.isOver(); done += 1) {
        await (canMount ? onSmallDisk(context) : underLimit(context));
      }
    },
  };
}

async function onSmallDisk(context: FaultContext): Promise<void> {
  const { site, random, check } = context;
  const disk = await mountSmallDisk(join(site.folder, 'disk'), DISK_BYTES);
  try {
    const workspace = await site.workspace({ dataDir: join(disk.path, 'data folder') });
    await driveStudy(context, {
      workspace,
      faults: 1 + random.integer(2),
      message: FULL,
      strike: async () => {
        await disk.fill(random.integer(MAX_LEFT_BYTES));
        return true;
      },
      repair: async () => {
        // As long as it is full, nothing goes on.
        await disk.fill(0);
        const refused = await workspace.run(['resume', '--out', workspace.outDir]);
        check('words', messageProblem(refused, FULL));
        await disk.free();
      },
    });
    await settle(context, workspace);
  } finally {
    disk.dispose();
  }
}

/** 512-byte blocks that a file may have: no journal of the study fits. */
const LIMIT_BLOCKS = 100;

async function underLimit(context: FaultContext): Promise<void> {
  const workspace = await context.site.workspace();
  const before = ['sh', '-c', `ulimit -f ${LIMIT_BLOCKS}; exec "$@"`, 'sh'];
  const ended = await workspace.run(['quickstart', '--problems', '4', '--out', workspace.outDir], { before });
  context.count();
  context.check('words', messageProblem(ended, [/would exceed the allowed size|\(EFBIG\)/]));
  await workspace.journals.remember();
  await workspace.run(['resume', '--out', workspace.outDir]);
  context.check('kept', await workspace.journals.lost());
  context.check('once', await workspace.journals.doubled());
  await settle(context, workspace);
}
