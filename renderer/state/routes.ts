import { assertNever } from '../../preload/contract/assert-never';
import type { TreePart } from '../../preload/contract/run-events';
import { type CompareRoute, parseComparePath, pathOfCompare } from './compare-routes';
import { type ExhibitRoute, parseExhibitPath, pathOfExhibit } from './exhibit-routes';
import { withQuery } from './route-query';
import { parseTrainingPath, pathOfTraining, type TrainingRoute } from './training-routes';

/** Checks of a study, each in its own dialog. */
export type StudyCheck = 'verify' | 'regrade';
export type RunTab = 'tree' | 'nodes' | 'curves' | 'problem';

/** Every screen of the app with its parameters. Its path can be copied, reopened and is part of the history. */
export type Route =
  | { readonly kind: 'home' }
  | { readonly kind: 'studies' }
  /** Initial benchmark and search preset of the form; null or left out: the form's default. */
  | { readonly kind: 'new-study'; readonly benchmarkId: string | null; readonly preset?: string }
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
  | { readonly kind: 'new-launch'; readonly machineId: string | null }
  | { readonly kind: 'machines' }
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
  | { readonly kind: 'settings' }
  | { readonly kind: 'unknown'; readonly path: string };

const CHECKS: readonly StudyCheck[] = ['verify', 'regrade'];
const TABS: readonly RunTab[] = ['tree', 'nodes', 'curves', 'problem'];
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
export function parsePath(address: string): Route {
  const unknown: Route = { kind: 'unknown', path: address };
  const [path = '', query = ''] = address.split('?', 2);
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
  if (first === 'settings' && length === 1) return { kind: 'settings' };
  if (first === 'library' && length === 1) return { kind: 'library' };
  if (first === 'activity' && length === 1) return { kind: 'activity' };
  // Ids of jobs begin with a date, and no launch is called "new".
  if (first === 'jobs' && second === 'new' && length === 2) {
    const asked = new URLSearchParams(query);
    const from = asked.get('from');
    return { kind: 'new-job', machineId: asked.get('machine'), ...(from === null ? {} : { from }) };
  }
  if (first === 'jobs' && length <= 2) return { kind: 'jobs', jobId: second ?? null };
  if (first === 'launches' && second === 'new' && length === 2) {
    return { kind: 'new-launch', machineId: new URLSearchParams(query).get('machine') };
  }
  if (first === 'launches' && length <= 2) return { kind: 'launches', launchId: second ?? null };
  if (first === 'machines' && length === 1) return { kind: 'machines' };
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
    const asked = new URLSearchParams(query);
    return parseTrainingPath(parts, asked) ?? parseExhibitPath(parts, asked) ?? unknown;
  }
  if (second === undefined) return { kind: 'studies' };
  // Ids of studies begin with a date, so none is called "new".
  if (second === 'new' && third === undefined) {
    const asked = new URLSearchParams(query);
    const preset = asked.get('preset');
    return {
      kind: 'new-study',
      benchmarkId: asked.get('benchmark'),
      ...(preset === null ? {} : { preset }),
    };
  }
  if (third === undefined) {
    const check = CHECKS.find((one) => one === new URLSearchParams(query).get('check'));
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
  const beside = query.get('beside');
  return {
    kind: 'run',
    studyId,
    runId,
    problemId: problemId ?? null,
    part: query.get('part') === 'samples' ? 'samples' : 'search',
    node: index === undefined ? null : Number(index),
    tab: TABS.find((tab) => tab === query.get('tab')) ?? 'tree',
    ...(moment !== null && COUNT.test(moment) ? { moment: Number(moment) } : {}),
    ...(beside === null ? {} : { second: beside }),
  };
}

/** The path of a route; inverse of `parsePath`. */
export function pathOf(place: Route): string {
  const part = encodeURIComponent;
  switch (place.kind) {
    case 'home':
      return '/';
    case 'studies':
    case 'activity':
    case 'library':
    case 'settings':
      return `/${place.kind}`;
    case 'new-study':
      return withQuery('/studies/new', { benchmark: place.benchmarkId, preset: place.preset ?? null });
    case 'study':
      return withQuery(`/studies/${part(place.studyId)}`, { check: place.check ?? null });
    case 'compare':
      return pathOfCompare(place);
    case 'jobs':
      return place.jobId === null ? '/jobs' : `/jobs/${part(place.jobId)}`;
    case 'new-job':
      return withQuery('/jobs/new', { machine: place.machineId, from: place.from ?? null });
    case 'launches':
      return place.launchId === null ? '/launches' : `/launches/${part(place.launchId)}`;
    case 'new-launch':
      return withQuery('/launches/new', { machine: place.machineId });
    case 'machines':
      return '/machines';
    case 'machine':
      return `/machines/${part(place.machineId)}`;
    case 'edit-machine':
      return `/machines/${part(place.machineId)}/edit`;
    case 'new-machine':
      return '/add-machine';
    case 'terminals':
      return place.terminalId === null ? '/terminals' : `/terminals/${part(place.terminalId)}`;
    case 'servers':
      return place.serverId === null ? '/servers' : `/servers/${part(place.serverId)}`;
    case 'run': {
      const problem = place.problemId === null ? '' : `/problems/${part(place.problemId)}`;
      const node = place.problemId === null || place.node === null ? '' : `/nodes/${place.node}`;
      return withQuery(`/studies/${part(place.studyId)}/runs/${part(place.runId)}${problem}${node}`, {
        part: place.problemId === null ? null : place.part,
        tab: place.tab === 'tree' ? null : place.tab,
        moment: place.moment == null ? null : String(place.moment),
        beside: place.second ?? null,
      });
    }
    case 'trainings':
    case 'training':
    case 'new-training':
    case 'experiments':
    case 'experiment':
    case 'new-experiment':
      return pathOfTraining(place);
    case 'exhibits':
    case 'exhibit':
    case 'reproduction':
    case 'edit-exhibit':
    case 'new-exhibit':
      return pathOfExhibit(place);
    case 'unknown':
      return place.path;
    default:
      return assertNever(place);
  }
}

/** The route of a run with nothing selected in it. */
export function runRoute(studyId: string, runId: string, problemId: string | null = null): Route {
  return { kind: 'run', studyId, runId, problemId, part: 'search', node: null, tab: 'tree' };
}
