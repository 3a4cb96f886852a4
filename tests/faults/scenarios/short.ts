import { join, resolve } from 'node:path';
import { driveStudy, type Strike } from '../harness/drive-study';
import { HOUR_MS, jumpingClock } from '../harness/jumping-clock';
import { messageProblem } from '../harness/messages';
import type { FaultContext, Scenario } from '../harness/scenario';
import { settle } from '../harness/settle';
import { canMount, mountReadOnly, mountSmallDisk } from '../harness/small-disk';
import { DISK_BYTES, FULL } from './full-disk';
import { NOT_WRITABLE } from './read-only';

/** One of each in one study: kills, a clock that is set back, a full disk, a read-only data folder. */
export const short: Scenario = {
  name: 'short',
  title: 'one of each in one study',
  simulated: "the clock of our programs; the system's own stays right",
  seconds: 120,
  run: async (context) => {
    const clock = await jumpingClock(resolve('.'), join(context.site.folder, 'clock'));
    const back: Strike = async () => {
      await clock.setTo(-24 * HOUR_MS);
      return true;
    };
    const strikes = [kill, back, kill];
    if (!canMount) return study(context, clock.env, strikes);
    const disk = await mountSmallDisk(join(context.site.folder, 'disk'), DISK_BYTES);
    try {
      const dataDir = join(disk.path, 'data folder');
      const fill: Strike = async () => {
        await disk.fill(0);
        return true;
      };
      await study(context, clock.env, [...strikes, fill, kill], {
        dataDir,
        repair: async (check) => {
          await disk.free();
          const makeWritable = mountReadOnly(dataDir);
          await check();
          makeWritable();
        },
      });
    } finally {
      disk.dispose();
    }
  },
};

const kill: Strike = async (_, session) => {
  session.kill('SIGKILL');
  await session.ended;
  return true;
};

type OnDisk = {
  readonly dataDir: string;
  /** Called between two commands, with what to check while the folder is read-only. */
  readonly repair: (check: () => Promise<void>) => Promise<void>;
};

async function study(
  context: FaultContext,
  env: Readonly<Record<string, string>>,
  strikes: readonly Strike[],
  disk?: OnDisk,
): Promise<void> {
  const workspace = await context.site.workspace({ env, ...(disk && { dataDir: disk.dataDir }) });
  let next = 0;
  await driveStudy(context, {
    workspace,
    faults: strikes.length,
    message: FULL,
    strike: async (where, session) => {
      if ((await workspace.journals.size()) === 0) return false;
      const isHit = (await strikes[next]?.(where, session)) ?? false;
      next += isHit ? 1 : 0;
      return isHit;
    },
    repair: async () => {
      await disk?.repair(async () => {
        if (next < strikes.length) return;
        context.check('words', messageProblem(await workspace.run(['studies', 'list']), NOT_WRITABLE));
      });
    },
  });
  context.check('kept', next < strikes.length ? `the study was over after ${next} faults` : null);
  await settle(context, workspace);
}
