import type { TreePart, TreeView } from '../../preload/contract/index';
import { treeKey } from '../../preload/contract/index';
import type { PlannedTree } from './logic/tree-schedule';
import type { RunSession } from './run-session';
import { serverKey } from './study-servers';

/** One tree of one run. */
export type TreeTask = { readonly session: RunSession; readonly problemId: string; readonly part: TreePart };

/** Problem by problem over all runs, so that interim results compare the same problems. */
export function tasksOf(sessions: readonly RunSession[]): TreeTask[] {
  const longest = Math.max(...sessions.map((session) => session.config.problemIds.length));
  const tasks: TreeTask[] = [];
  for (let i = 0; i < longest; i++) {
    for (const session of sessions) {
      const problemId = session.config.problemIds[i];
      if (problemId === undefined) continue;
      tasks.push({ session, problemId, part: 'search' });
      if (session.config.search.samplesPerAgent > 0) tasks.push({ session, problemId, part: 'samples' });
    }
  }
  return tasks;
}

export function treeOf({ session, problemId, part }: TreeTask): TreeView | undefined {
  return session.view().trees.get(treeKey(problemId, part));
}

export function isSearched(task: TreeTask): boolean {
  const tree = treeOf(task);
  return tree !== undefined && tree.searched !== null;
}

export function isDone(task: TreeTask): boolean {
  const tree = treeOf(task);
  return tree !== undefined && tree.searched !== null && tree.graded === tree.nodes.length;
}

/** The work that is left in a tree, for the schedule. Early ends are not predicted. */
export function plannedTree(task: TreeTask): PlannedTree {
  const { search, team } = task.session.config;
  const nodes = task.part === 'search' ? search.nodes : search.samplesPerAgent * team.agents.length;
  const used = new Set(team.agents.map(({ serverId }) => serverId));
  return {
    servers: team.servers.filter(({ id }) => used.has(id)).map(serverKey),
    trials: nodes - (treeOf(task)?.nodes.length ?? 0),
    width: search.batch,
  };
}
