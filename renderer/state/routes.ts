import { assertNever } from '../../preload/contract/assert-never';
import type { TreePart } from '../../preload/contract/run-events';
import type { UsageBy } from '../../preload/contract/usage';
import { type CompareRoute, parseComparePath, pathOfCompare } from './compare-routes';
import { type ExhibitRoute, parseExhibitPath, pathOfExhibit } from './exhibit-routes';
import { withQuery } from './route-query';
import { parseTrainingPath, pathOfTraining, type TrainingRoute } from './training-routes';

/** What a study's page can be opened with: each is a dialog of its own. */
export type StudyCheck = 'verify' | 'regrade' | 'extend' | 'rename' | 'note' | 'export';
export type RunTab = 'tree' | 'nodes' | 'curves' | 'problem';

/** Every screen of the app with its parameters. Its path can be copied, reopened and is part of the history. */
export type Route =
  | { readonly kind: 'home' }
  | { readonly kind: 'studies' }
  /** Initial benchmark and search preset of the form; null or left out: the form's default. `from`: a study to copy. */
  | {
      readonly kind: 'new-study';
      readonly benchmarkId: string | null;
      readonly preset?: string;
      readonly from?: string;
    }
  /** `check`: the open dialog. */
  | { readonly kind: 'study'; readonly studyId: string; readonly check?: StudyCheck }
  | {
      readonly kind: 'run';
      readonly studyId: string;
      readonly runId: string;
      readonly problemId: string | null;
      readonly part: TreePart;
      /** Index of the chosen node. */
      readonly node: number | null;
      readonly tab: RunTab;
      /** Replay: shows this many nodes of the tree. Null or left out: all. */
      readonly moment?: number | null;
      /** The run shown next to this one for the same problem; it may be of another study. */
      readonly second?: string | null;
    }
  | CompareRoute
  | { readonly kind: 'jobs'; readonly jobId: string | null }
  /** The form that starts a job; `from`: a job to copy; `machineId`: the preselected machine. */
  | { readonly kind: 'new-job'; readonly machineId: string | null; readonly from?: string }
  | { readonly kind: 'servers'; readonly serverId: string | null }
  /** Saved launches, with the form of one of them open; null: the list alone. */
  | { readonly kind: 'launches'; readonly launchId: string | null }
  /** `from`: a launch to copy. */
  | { readonly kind: 'new-launch'; readonly machineId: string | null; readonly from?: string }
  | { readonly kind: 'machines' }
  /** GPU-hours and tokens; `month` null: all months. */
  | { readonly kind: 'usage'; readonly month: string | null; readonly by: UsageBy }
  | { readonly kind: 'machine'; readonly machineId: string }
  | { readonly kind: 'new-machine' }
  | { readonly kind: 'edit-machine'; readonly machineId: string }
  /** null: the last one shown. */
  | { readonly kind: 'terminals'; readonly terminalId: string | null }
  | TrainingRoute
  | ExhibitRoute
  /** Everything that is running. */
  | { readonly kind: 'activity' }
  | { readonly kind: 'library' }
  /** The problems of a benchmark, with one of them open. */
  | { readonly kind: 'benchmark'; readonly benchmarkId: string; readonly problemId: string | null }
  /** `entry`: the setting that is looked for. */
  | { readonly kind: 'settings'; readonly entry?: string }
  | { readonly kind: 'unknown'; readonly path: string };

const CHECKS: readonly StudyCheck[] = ['verify', 'regrade', 'extend', 'rename', 'note', 'export'];
const TABS: readonly RunTab[] = ['tree', 'nodes', 'curves', 'problem'];
const USAGE_BY: readonly UsageBy[] = ['project', 'job', 'month'];
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;
const COUNT = /^\d{1,9}$/;

/** Null if the text is not valid percent encoding: a path may be typed by hand. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The route of a path such as "/studies/abc/runs/r1/problems/pocket%2F003/nodes/7?part=search". */
export function parsePath(fullPath: string): Route {
  const unknown: Route = { kind: 'unknown', path: fullPath };
  const [path = '', query = ''] = fullPath.split('?', 2);
  const parts: string[] = [];
  for (const raw of path.split('/')) {
    if (raw === '') continue;
    const part = decode(raw);
    if (part === null) return unknown;
    parts.push(part);
  }
  const [first, second, third, fourth, ...rest] = parts;
  const length = parts.length;
  if (first === undefined) return { kind: 'home' };
  if (first === 'settings' && length === 1) {
    const entry = new URLSearchParams(query).get('entry');
    return { kind: 'settings', ...(entry === null ? {} : { entry }) };
  }
  if (first === 'library' && length === 1) return { kind: 'library' };
  if (first === 'library' && second !== undefined && length <= 3) {
    return { kind: 'benchmark', benchmarkId: second, problemId: third ?? null };
  }
  if (first === 'activity' && length === 1) return { kind: 'activity' };
  // Ids of jobs begin with a date, and no launch is called "new".
  if (first === 'jobs' && second === 'new' && length === 2) {
    const params = new URLSearchParams(query);
    const from = params.get('from');
    return { kind: 'new-job', machineId: params.get('machine'), ...(from === null ? {} : { from }) };
  }
  if (first === 'jobs' && length <= 2) return { kind: 'jobs', jobId: second ?? null };
  if (first === 'launches' && second === 'new' && length === 2) {
    const params = new URLSearchParams(query);
    const from = params.get('from');
    return { kind: 'new-launch', machineId: params.get('machine'), ...(from === null ? {} : { from }) };
  }
  if (first === 'launches' && length <= 2) return { kind: 'launches', launchId: second ?? null };
  if (first === 'machines' && length === 1) {
    const params = new URLSearchParams(query);
    if (params.get('view') !== 'usage') return { kind: 'machines' };
    const month = params.get('month') ?? '';
    const by = USAGE_BY.find((choice) => choice === params.get('by')) ?? 'project';
    return { kind: 'usage', month: MONTH.test(month) ? month : null, by };
  }
  if (first === 'machines' && second !== undefined) {
    if (length === 2) return { kind: 'machine', machineId: second };
    if (length === 3 && third === 'edit') return { kind: 'edit-machine', machineId: second };
  }
  // Not below /machines: one may be called "new".
  if (first === 'add-machine' && length === 1) return { kind: 'new-machine' };
  if (first === 'terminals' && length <= 2) return { kind: 'terminals', terminalId: second ?? null };
  if (first === 'servers' && length <= 2) return { kind: 'servers', serverId: second ?? null };
  if (first === 'compare') return parseComparePath(parts, new URLSearchParams(query)) ?? unknown;
  if (first !== 'studies') {
    const params = new URLSearchParams(query);
    return parseTrainingPath(parts, params) ?? parseExhibitPath(parts, params) ?? unknown;
  }
  if (second === undefined) return { kind: 'studies' };
  // Ids of studies begin with a date, so none is called "new".
  if (second === 'new' && third === undefined) {
    const params = new URLSearchParams(query);
    const preset = params.get('preset');
    const from = params.get('from');
    return {
      kind: 'new-study',
      benchmarkId: params.get('benchmark'),
      ...(preset === null ? {} : { preset }),
      ...(from === null ? {} : { from }),
    };
  }
  if (third === undefined) {
    const check = CHECKS.find((check) => check === new URLSearchParams(query).get('check'));
    return { kind: 'study', studyId: second, ...(check === undefined ? {} : { check }) };
  }
  if (third !== 'runs' || fourth === undefined) return unknown;
  return parseRun(second, fourth, rest, new URLSearchParams(query)) ?? unknown;
}

function parseRun(
  studyId: string,
  runId: string,
  rest: readonly string[],
  query: URLSearchParams,
): Route | null {
  const [problems, problemId, nodes, index, ...more] = rest;
  if (more.length > 0 || (problems !== undefined && (problems !== 'problems' || problemId === undefined))) {
    return null;
  }
  if (nodes !== undefined && (nodes !== 'nodes' || !COUNT.test(index ?? ''))) return null;
  const moment = query.get('moment');
  const second = query.get('beside');
  return {
    kind: 'run',
    studyId,
    runId,
    problemId: problemId ?? null,
    part: query.get('part') === 'samples' ? 'samples' : 'search',
    node: index === undefined ? null : Number(index),
    tab: TABS.find((tab) => tab === query.get('tab')) ?? 'tree',
    ...(moment !== null && COUNT.test(moment) ? { moment: Number(moment) } : {}),
    ...(second === null ? {} : { second }),
  };
}

/** The path of a route; inverse of `parsePath`. */
export function pathOf(route: Route): string {
  const part = encodeURIComponent;
  switch (route.kind) {
    case 'home':
      return '/';
    case 'studies':
    case 'activity':
    case 'library':
      return `/${route.kind}`;
    case 'benchmark':
      return `/library/${part(route.benchmarkId)}${route.problemId === null ? '' : `/${part(route.problemId)}`}`;
    case 'settings':
      return withQuery('/settings', { entry: route.entry ?? null });
    case 'new-study':
      return withQuery('/studies/new', {
        benchmark: route.benchmarkId,
        preset: route.preset ?? null,
        from: route.from ?? null,
      });
    case 'study':
      return withQuery(`/studies/${part(route.studyId)}`, { check: route.check ?? null });
    case 'compare':
      return pathOfCompare(route);
    case 'jobs':
      return route.jobId === null ? '/jobs' : `/jobs/${part(route.jobId)}`;
    case 'new-job':
      return withQuery('/jobs/new', { machine: route.machineId, from: route.from ?? null });
    case 'launches':
      return route.launchId === null ? '/launches' : `/launches/${part(route.launchId)}`;
    case 'new-launch':
      return withQuery('/launches/new', { machine: route.machineId, from: route.from ?? null });
    case 'machines':
      return '/machines';
    case 'usage':
      return withQuery('/machines', {
        view: 'usage',
        month: route.month,
        by: route.by === 'project' ? null : route.by,
      });
    case 'machine':
      return `/machines/${part(route.machineId)}`;
    case 'edit-machine':
      return `/machines/${part(route.machineId)}/edit`;
    case 'new-machine':
      return '/add-machine';
    case 'terminals':
      return route.terminalId === null ? '/terminals' : `/terminals/${part(route.terminalId)}`;
    case 'servers':
      return route.serverId === null ? '/servers' : `/servers/${part(route.serverId)}`;
    case 'run': {
      const problem = route.problemId === null ? '' : `/problems/${part(route.problemId)}`;
      const node = route.problemId === null || route.node === null ? '' : `/nodes/${route.node}`;
      return withQuery(`/studies/${part(route.studyId)}/runs/${part(route.runId)}${problem}${node}`, {
        part: route.problemId === null ? null : route.part,
        tab: route.tab === 'tree' ? null : route.tab,
        moment: route.moment == null ? null : String(route.moment),
        beside: route.second ?? null,
      });
    }
    case 'trainings':
    case 'training':
    case 'new-training':
    case 'experiments':
    case 'experiment':
    case 'new-experiment':
      return pathOfTraining(route);
    case 'exhibits':
    case 'exhibit':
    case 'reproduction':
    case 'edit-exhibit':
    case 'new-exhibit':
      return pathOfExhibit(route);
    case 'unknown':
      return route.path;
    default:
      return assertNever(route);
  }
}

/** The route of a run with nothing selected in it. */
export function runRoute(
  studyId: string,
  runId: string,
  problemId: string | null = null,
): Extract<Route, { readonly kind: 'run' }> {
  return { kind: 'run', studyId, runId, problemId, part: 'search', node: null, tab: 'tree' };
}
