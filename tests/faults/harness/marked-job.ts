import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shellWord } from '../../../main/base';
import type { JobView } from '../../../preload/contract';
import { eventually } from '../../support/eventually';
import type { FaultContext } from './scenario';
import { mustRun } from './site';
import type { CommandOptions, Workspace } from './workspace';

/** A job that writes down each of its starts and ends. */
export type MarkedJob = { readonly name: string; readonly words: readonly string[]; readonly file: string };

export function markedJob(workspace: Workspace, name: string, seconds: number, machine = 'local'): MarkedJob {
  const file = join(workspace.folder, `${name}.marks`);
  const line = `echo start >> ${shellWord(file)}; sleep ${seconds}; echo end >> ${shellWord(file)}`;
  return { name, file, words: ['jobs', 'start', machine, '--name', name, '--json', '--', line] };
}

/** Waits for the end of all jobs of this name and checks that each that is listed ran just once. */
export async function checkJobs(
  { check }: FaultContext,
  workspace: Workspace,
  jobs: readonly MarkedJob[],
  options?: CommandOptions,
): Promise<void> {
  const list = await eventually(
    'the end of all jobs',
    async () => {
      const views = JSON.parse(await mustRun(workspace, ['jobs', 'list', '--json'], options)) as JobView[];
      return views.every(({ state }) => state.kind === 'exited' || state.kind === 'lost') ? views : null;
    },
    60_000,
  );
  for (const { name, file } of jobs) {
    const marks = (await readFile(file, 'utf8').catch(() => '')).split('\n');
    const starts = marks.filter((mark) => mark === 'start').length;
    const ends = marks.filter((mark) => mark === 'end').length;
    const views = list.filter((job) => job.name === name);
    const [view] = views;
    const state =
      view?.state.kind === 'exited' ? `exited with ${view.state.code}` : (view?.state.kind ?? 'absent');
    check('once', starts > 1 || views.length > 1 ? `${name} started ${starts} times (${state})` : null);
    const isWhole = state === 'exited with 0' ? ends === 1 : starts === 0;
    check('kept', isWhole ? null : `${name} is ${state}, but began ${starts} times and ended ${ends} times`);
  }
}
