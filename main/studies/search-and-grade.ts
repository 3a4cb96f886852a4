import { RefusalError } from '../base/index';
import { TreeSchedule } from './logic/tree-schedule';
import { PrioritySemaphore } from './priority-semaphore';
import { TreePool } from './tree-pool';
import { gradeTask, isSearched, plannedTree, searchTask, type TreeDeps, type TreeTask } from './tree-work';

/**
 * Searched trees whose private tests run side by side: while one finishes its last program, the others use the slots.
 */
const TREES_GRADED_TOGETHER = 4;

/** Searches trees and runs private tests side by side; neither waits for the other. */
export async function searchAndGrade(
  tasks: readonly TreeTask[],
  deps: TreeDeps,
  options: { readonly stop: () => void; readonly onPool: (pool: TreePool) => void },
): Promise<void> {
  const toSearch = tasks.filter((task) => !isSearched(task));
  const failures: unknown[] = [];
  /** The first failure ends all work at once: open requests are lost, everything recorded is kept. */
  const orStop = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      failures.push(error);
      options.stop();
    });
  const gradingSlots = new PrioritySemaphore(TREES_GRADED_TOGETHER);
  const gradings: Promise<void>[] = [];
  const gradeAt = async (at: number): Promise<void> => {
    const release = await gradingSlots.acquire(() => at, deps.signal);
    if (release === null) return;
    await gradeTask(tasks[at] as TreeTask, deps, at).finally(release);
  };
  const grade = (at: number): void => void gradings.push(orStop(gradeAt(at)));
  for (const [at, task] of tasks.entries()) if (isSearched(task)) grade(at);
  const planned = toSearch.map(plannedTree);
  const schedule = new TreeSchedule(planned, deps.servers.slots);
  const searchAt = async (at: number): Promise<void> => {
    const task = toSearch[at] as TreeTask;
    const end = await searchTask(task, deps, {
      rank: () => schedule.rank(at),
      onQueued: () => opened.firstRequestQueued(at),
      onTrial: () => schedule.trialDone(at),
    });
    if (end.kind === 'failed') throw new RefusalError(end.refusal);
    if (end.kind === 'searched') grade(tasks.indexOf(task));
  };
  const opened = new TreePool({
    servers: planned.map(({ servers }) => servers),
    slots: deps.servers.slots,
    schedule,
    signal: deps.signal,
    search: (at) => orStop(searchAt(at)),
  });
  options.onPool(opened);
  await opened.run();
  await Promise.all(gradings);
  if (failures.length > 0) throw failures[0];
}
