import type { SpotlightActionData } from '@mantine/spotlight';
import { publicVerdictOf, treeKey } from '../../preload/contract/folds/index';
import type { StudyView } from '../../preload/contract/study';
import { problemKey, type Route, readyValue, runRoute, type WorkbenchState } from '../state/index';
import { runLabel } from '../text/metrics';
import { SETTINGS } from '../text/settings';
import { verdictStyle } from '../theme/index';
import type { ExhibitEntries } from './palette-exhibits';
import { exportDialogActions } from './palette-exports';
import type { ProblemTitles } from './palette-library';
import type { TrainingEntries } from './palette-trainings';

/** More hits of one kind say less than another word of the query would. */
const MOST = 30;

/**
 * What is looked for by name and never listed whole: runs, problems and nodes of all studies, and their exports.
 * @param query - as typed; shorter than two characters finds nothing
 * @param route - the open screen
 * @param studies - all; the runs and problems of the open one are listed anyway
 */
export function searchActions(
  query: string,
  state: WorkbenchState,
  route: Route,
  studies: readonly StudyView[],
  entries: Pick<ExhibitEntries, 'reproductions'> & Pick<TrainingEntries, 'experiments'>,
  titles: ProblemTitles,
): readonly SpotlightActionData[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.join('').length < 2) return [];
  const openId = 'studyId' in route ? route.studyId : null;
  const others = studies.filter(({ study }) => study.id !== openId);
  return [
    ...nodeActions(state, route),
    ...numberedNodes(words, state, studies),
    ...runActions(words, state, others, openId === null ? 'Runs' : 'Runs of other studies'),
    ...problemActions(words, state, others, {
      group: openId === null ? 'Problems' : 'Problems of other studies',
      titles,
    }),
    ...exportDialogActions(words, state, studies, entries, entries),
  ];
}

/**
 * Whether each of the words is in the name of a thing or in what is said about it, and one in the name: by the name of its
 * study alone everything in it would be found.
 */
function isFound(words: readonly string[], name: string, about: string): boolean {
  const [own, more] = [name.toLowerCase(), about.toLowerCase()];
  return (
    words.some((word) => own.includes(word)) &&
    words.every((word) => own.includes(word) || more.includes(word))
  );
}

/** Runs by the names of their configurations. */
function runActions(
  words: readonly string[],
  { location }: WorkbenchState,
  studies: readonly StudyView[],
  group: string,
): readonly SpotlightActionData[] {
  return studies
    .flatMap(({ study }) => study.runs.map((run) => ({ study, run })))
    .filter(({ study, run: { configuration, seed } }) => {
      return isFound(words, configuration, `${study.name} seed ${seed}`);
    })
    .slice(0, MOST)
    .map(({ study, run }) => ({
      id: `run-${run.id}`,
      group,
      label: `Run: ${runLabel(study, run)}`,
      description: study.name,
      onClick: () => location.go(runRoute(study.id, run.id)),
    }));
}

/** The nodes of the tree that is open. */
function nodeActions({ runs, location }: WorkbenchState, route: Route): readonly SpotlightActionData[] {
  if (route.kind !== 'run' || route.problemId === null) return [];
  const { runId, problemId, part } = route;
  const loaded = runs.store.getState().get(runId);
  const view = loaded === undefined ? null : readyValue(loaded);
  const agents = view?.config?.team.agents ?? [];
  const nodes = view?.trees.get(treeKey(problemId, part))?.nodes ?? [];
  return nodes.map((node) => ({
    id: `node-${node.index}`,
    group: 'Nodes of this tree',
    label: `Node ${node.index}`,
    description: `${agents.find(({ id }) => id === node.agentId)?.name ?? node.agentId}, ${verdictStyle(publicVerdictOf(node)).label}`,
    keywords: [`#${node.index}`],
    onClick: () => location.go({ ...route, node: node.index }),
  }));
}

/**
 * A node by its number, "007 node 17" or "007 #17", in each run that has searched the problem: no tree is loaded for it, so
 * that a search which ended earlier may have fewer.
 */
function numberedNodes(
  words: readonly string[],
  { location }: WorkbenchState,
  studies: readonly StudyView[],
): readonly SpotlightActionData[] {
  const sought = parseNodeQuery(words);
  if (sought === null) return [];
  const { node, names } = sought;
  const actions: SpotlightActionData[] = [];
  for (const { study, state } of studies) {
    if (state.kind === 'planned' || state.kind === 'missing') continue;
    for (const run of study.runs) {
      if (node >= run.search.nodes) continue;
      const about = `${runLabel(study, run)} ${run.configuration} ${study.name}`;
      for (const problemId of run.problemIds) {
        if (!isFound(names, problemId, about)) continue;
        actions.push({
          id: `node-${run.id}-${problemId}-${node}`,
          group: 'Nodes',
          label: `${problemId}, node ${node} · ${runLabel(study, run)}`,
          description: study.name,
          keywords: [`#${node}`, run.configuration],
          onClick: () => location.go({ ...runRoute(study.id, run.id, problemId), node }),
        });
        if (actions.length >= MOST) return actions;
      }
    }
  }
  return actions;
}

/** The number behind "node" or "#", and the other words; null: no node is asked for, or of no problem. */
function parseNodeQuery(
  words: readonly string[],
): { readonly node: number; readonly names: readonly string[] } | null {
  const at = words.findIndex((word, i) =>
    word.startsWith('#') ? /^#\d+$/.test(word) : /^\d+$/.test(word) && words[i - 1] === 'node',
  );
  const names = words.filter((word, i) => i !== at && word !== 'node');
  return at < 0 || names.length === 0 ? null : { node: Number(words[at]?.replace('#', '')), names };
}

/** In each study the first run that has the problem. */
function problemActions(
  words: readonly string[],
  { location }: WorkbenchState,
  studies: readonly StudyView[],
  { group, titles }: { readonly group: string; readonly titles: ProblemTitles },
): readonly SpotlightActionData[] {
  const actions: SpotlightActionData[] = [];
  for (const { study } of studies) {
    const seen = new Set<string>();
    for (const run of study.runs) {
      for (const problemId of run.problemIds) {
        if (seen.has(problemId)) continue;
        seen.add(problemId);
        const title = titles.get(problemKey(run.benchmarkId, problemId)) ?? '';
        if (!isFound(words, `${problemId} ${title}`, study.name)) continue;
        actions.push({
          id: `problem-${study.id}-${problemId}`,
          group,
          label: `${problemId} · ${study.name}`,
          description: title,
          onClick: () => location.go(runRoute(study.id, run.id, problemId)),
        });
        if (actions.length >= MOST) return actions;
      }
    }
  }
  return actions;
}

/** Each setting, on its screen. */
export function settingActions({ location }: WorkbenchState): readonly SpotlightActionData[] {
  return SETTINGS.map(({ label, section, words }) => ({
    id: `setting-${label}`,
    group: 'Settings',
    label: `Setting: ${label}`,
    description: section,
    keywords: [...words],
    onClick: () => location.go({ kind: 'settings', entry: label }),
  }));
}
