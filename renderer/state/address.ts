import type { TreePart } from '../../preload/contract/run-events';
import { assertNever } from './assert-never';

export type RunTab = 'tree' | 'nodes' | 'curves' | 'problem';

/** Every place of the app. Its address can be copied, opened again and stands in the history. */
export type Place =
  | { readonly kind: 'home' }
  | { readonly kind: 'studies' }
  /** `benchmarkId`: which one the form begins with; null leaves it the choice. */
  | { readonly kind: 'new-study'; readonly benchmarkId: string | null }
  | { readonly kind: 'study'; readonly studyId: string }
  | {
      readonly kind: 'run';
      readonly studyId: string;
      readonly runId: string;
      readonly problemId: string | null;
      readonly part: TreePart;
      /** Index of the chosen node. */
      readonly node: number | null;
      readonly tab: RunTab;
    }
  | { readonly kind: 'compare'; readonly studyId: string | null }
  | { readonly kind: 'servers'; readonly serverId: string | null }
  | { readonly kind: 'library' }
  | { readonly kind: 'settings' }
  | { readonly kind: 'unknown'; readonly address: string };

const TABS: readonly RunTab[] = ['tree', 'nodes', 'curves', 'problem'];

/** Null when the text is no valid percent encoding: an address may be typed by hand. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The place of an address such as "/studies/abc/runs/r1/problems/pocket%2F003/nodes/7?part=search". */
export function parseAddress(address: string): Place {
  const unknown: Place = { kind: 'unknown', address };
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
  if (first === 'servers' && length <= 2) return { kind: 'servers', serverId: second ?? null };
  if (first === 'compare' && length <= 2) return { kind: 'compare', studyId: second ?? null };
  if (first !== 'studies') return unknown;
  if (second === undefined) return { kind: 'studies' };
  // Ids of studies begin with a date, so none is called "new".
  if (second === 'new' && third === undefined) {
    return { kind: 'new-study', benchmarkId: new URLSearchParams(query).get('benchmark') };
  }
  if (third === undefined) return { kind: 'study', studyId: second };
  if (third !== 'runs' || fourth === undefined) return unknown;
  return parseRun(second, fourth, rest, new URLSearchParams(query)) ?? unknown;
}

function parseRun(
  studyId: string,
  runId: string,
  rest: readonly string[],
  query: URLSearchParams,
): Place | null {
  const [problems, problemId, nodes, index, ...more] = rest;
  if (more.length > 0 || (problems !== undefined && (problems !== 'problems' || problemId === undefined))) {
    return null;
  }
  if (nodes !== undefined && (nodes !== 'nodes' || !/^\d{1,9}$/.test(index ?? ''))) return null;
  return {
    kind: 'run',
    studyId,
    runId,
    problemId: problemId ?? null,
    part: query.get('part') === 'samples' ? 'samples' : 'search',
    node: index === undefined ? null : Number(index),
    tab: TABS.find((tab) => tab === query.get('tab')) ?? 'tree',
  };
}

/** The address of a place; `parseAddress` gives the place back. */
export function addressOf(place: Place): string {
  const part = encodeURIComponent;
  switch (place.kind) {
    case 'home':
      return '/';
    case 'studies':
    case 'library':
    case 'settings':
      return `/${place.kind}`;
    case 'new-study':
      return place.benchmarkId === null
        ? '/studies/new'
        : `/studies/new?benchmark=${part(place.benchmarkId)}`;
    case 'study':
      return `/studies/${part(place.studyId)}`;
    case 'compare':
      return place.studyId === null ? '/compare' : `/compare/${part(place.studyId)}`;
    case 'servers':
      return place.serverId === null ? '/servers' : `/servers/${part(place.serverId)}`;
    case 'run': {
      const problem = place.problemId === null ? '' : `/problems/${part(place.problemId)}`;
      const node = place.problemId === null || place.node === null ? '' : `/nodes/${place.node}`;
      const query = [
        ...(place.problemId === null ? [] : [`part=${place.part}`]),
        ...(place.tab === 'tree' ? [] : [`tab=${place.tab}`]),
      ].join('&');
      const path = `/studies/${part(place.studyId)}/runs/${part(place.runId)}${problem}${node}`;
      return query === '' ? path : `${path}?${query}`;
    }
    case 'unknown':
      return place.address;
    default:
      return assertNever(place);
  }
}

/** The place of a run where only the run is chosen. */
export function runPlace(studyId: string, runId: string, problemId: string | null = null): Place {
  return { kind: 'run', studyId, runId, problemId, part: 'search', node: null, tab: 'tree' };
}
