import { existsSync } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { driveStudy } from '../harness/drive-study';
import type { Scenario } from '../harness/scenario';
import { settle } from '../harness/settle';

/** Files of the benchmark, or all of it, disappear while a study runs or before it is resumed; then they come back. */
export function benchmarkGone(studies: number, seconds: number): Scenario {
  return {
    name: 'benchmark',
    title: 'files of the benchmark are gone',
    simulated: null,
    seconds,
    run: async (context) => {
      const { site, random, isOver } = context;
      for (let done = 0; done < studies && !isOver(); done += 1) {
        const workspace = await site.workspace();
        const benchmarks = join(workspace.dataDir, 'benchmarks');
        const away = join(workspace.folder, 'away');
        let gone: string | null = null;
        await driveStudy(context, {
          workspace,
          faults: 1,
          message: [/benchmark|problem/i],
          strike: async (_, session) => {
            if ((await workspace.journals.size()) === 0) return false;
            const names = await readdir(benchmarks, { recursive: true });
            gone = join(benchmarks, names[random.integer(names.length)] ?? '');
            await rename(gone, away);
            // What is in memory may be enough; a command of its own has to read it.
            if (random.integer(2) === 0) return true;
            session.kill('SIGKILL');
            await session.ended;
            const refused = workspace.start(['resume', '--out', workspace.outDir]);
            const { code, err } = await refused.ended;
            if (code !== 0)
              context.note(`without ${gone.slice(benchmarks.length + 1)}: "${err.trim().slice(0, 300)}"`);
            return true;
          },
          repair: async () => {
            if (gone !== null && existsSync(away) && !existsSync(gone)) await rename(away, gone);
          },
        });
        await settle(context, workspace);
      }
    },
  };
}
