import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { probeSandbox } from '../../../../main/grading';
import type { Exhibit, ReproductionView } from '../../../../preload/contract';
import { type Lab, startLab } from '../../../e2e/support/lab';
import { buildWorkbench } from '../../../support/built-workbench';
import { hasSshd } from '../../../support/sshd';
import { tinyExhibit } from '../../../support/tiny-exhibit';
import { openWorkbenchBench, statesOf, type WorkbenchBench } from '../../../support/workbench-bench';

// A reproduction changes machines in the middle: from this computer to one behind a real sshd.

const sandboxProblem = await probeSandbox({ resourcesDir: resolve('resources'), allowUnsandboxed: false });
const canRun = sandboxProblem === null && hasSshd;

let project = '';
let lab: Lab;
const before = { PATH: process.env.PATH, HOME: process.env.HOME };
beforeAll(async () => {
  if (!canRun) return;
  project = await buildWorkbench();
  lab = await startLab();
  // The system's ssh of this process reads the lab's config.
  Object.assign(process.env, lab.env);
});
afterAll(async () => {
  if (!canRun) return;
  Object.assign(process.env, before);
  await lab.stop();
});

/** A base policy alone, as a search of it is what is moved, and searched long enough to be moved in the middle. */
function exhibit(): Exhibit {
  const tiny = tinyExhibit();
  const isBase = ({ id }: { readonly id: string }) => id === 'base';
  const { pocket } = tiny.scales;
  if (pocket === null) throw new Error('It has a pocket scale');
  const benchmark = { ...pocket.benchmark, problems: 8 };
  const search = { ...pocket.search, nodes: 20 };
  return {
    ...{ ...tiny, configurations: tiny.configurations.filter(isBase), rows: tiny.rows.filter(isBase) },
    ...{ cells: tiny.cells.filter(({ row }) => row === 'base'), series: [] },
    scales: { ...tiny.scales, pocket: { ...pocket, benchmark, search } },
  };
}

const isOver = ({ state }: ReproductionView): boolean => state.kind === 'done' || state.kind === 'failed';
const start = (bench: WorkbenchBench) =>
  bench.ask('reproduction.start', { exhibitId: 'tiny', scale: 'pocket' });

async function oursOf(bench: WorkbenchBench) {
  const { cells, complete } = await bench.ask('exhibit.result', { exhibitId: 'tiny', scale: 'pocket' });
  expect(complete).toBe(true);
  return cells.map(({ row, column, ours }) => ({ row, column, ours }));
}

test.skipIf(!canRun)(
  'a search that is moved to another machine in the middle comes to the same table (skipped where no sshd or no sandbox is)',
  async () => {
    const bench = await openWorkbenchBench(project, [exhibit()]);
    const still = await openWorkbenchBench(project, [exhibit()]);
    try {
      await bench.ask('machine.add', { id: 'lab', name: 'lab', kind: 'ssh', host: 'lab' });
      const { id } = await start(bench);
      const going = await bench.until(id, (view) =>
        Object.values(statesOf(view, 'search')).includes('running'),
      );
      const search = going.steps.find(({ kind, state }) => kind === 'search' && state.kind === 'running');
      const moved = await bench.ask('reproduction.move', {
        reproductionId: id,
        stepId: search?.id ?? '',
        machineId: 'lab',
      });
      expect(moved.steps.find((step) => step.id === search?.id)?.machineId).toBe('lab');
      const whole = await bench.until(id, isOver);
      expect(whole.state).toEqual({ kind: 'done' });
      const jobs = await bench.ask('job.list', {});
      expect(jobs.filter(({ machineId }) => machineId === 'lab')).not.toEqual([]);
      const decisions = await bench.ask('reproduction.decisions', { reproductionId: id });
      expect(decisions.map(({ stepId, text }) => `${stepId} ${text}`).join('\n')).toContain(
        `${search?.id} Moved to lab.`,
      );

      await still.until((await start(still)).id, isOver);
      expect(await oursOf(bench)).toEqual(await oursOf(still));
    } finally {
      await still.dispose();
      await bench.dispose();
    }
  },
);
