import { assertNever } from '../../preload/contract/assert-never';
import { capitalised } from '../../preload/contract/plans/index';
import type { ServerView } from '../../preload/contract/server';
import { serverIsUp } from '../text/servers';
import type { StatusLabel } from '../text/status';
import { count } from '../widgets/index';
import { ENGINE_NAMES } from './engines';

export function serverStatus(state: ServerView['state']): StatusLabel {
  switch (state.kind) {
    case 'starting':
      return { tone: 'active', text: stageText(state.stage) };
    case 'ready':
      return { tone: 'good', text: 'Ready' };
    case 'stopped':
      return { tone: 'quiet', text: 'Stopped' };
    case 'failed':
      return { tone: 'bad', text: 'Failed' };
    default:
      return assertNever(state);
  }
}

function stageText(text: string): string {
  return text === '' ? 'Starting' : capitalised(text);
}

/** "1,234"; of a server that an earlier opening of the workbench started, since when this one counts. */
export function answeredText({ answered, isAdopted }: ServerView): string {
  return isAdopted ? `${count(answered)} since the workbench opened` : count(answered);
}

/** Running servers first, then failed, then stopped; newest first in each. */
export function sortServers(servers: readonly ServerView[]): readonly ServerView[] {
  const rank = ({ state }: ServerView): number => (serverIsUp(state) ? 0 : state.kind === 'failed' ? 1 : 2);
  return [...servers].sort(
    (a, b) => rank(a) - rank(b) || b.startedAt.localeCompare(a.startedAt) || (a.id < b.id ? -1 : 1),
  );
}

export const KIND_NAMES: Readonly<Record<ServerView['kind'], string>> = {
  pocket: 'pocket policy',
  recorded: 'recording',
  url: 'external URL',
  ...ENGINE_NAMES,
};

/** "2 up", "2 up, 1 starting", "1 starting": a server that waits for its GPUs is not up. */
export function upCount(states: readonly ServerView['state']['kind'][]): {
  readonly number: number;
  readonly unit: string;
} {
  const of = (kind: ServerView['state']['kind']): number => states.filter((state) => state === kind).length;
  const [ready, starting] = [of('ready'), of('starting')];
  if (ready === 0) return { number: starting, unit: 'starting' };
  return { number: ready, unit: starting === 0 ? 'up' : `up, ${starting} starting` };
}

/** "45 %" of "weights loading: 3 of 7 shards, 45 %": the share in [0, 1]; null if there is none. */
export function stageShare(stage: string): number | null {
  const match = /(\d{1,3}(?:\.\d+)?)\s?%/.exec(stage);
  return match === null ? null : Math.min(1, Number(match[1]) / 100);
}

/** Which of launch's servers this is, where there are several: "2 of 4". */
export function replicaText(server: ServerView, servers: readonly ServerView[]): string | null {
  if (server.launchId === null) return null;
  const replicas = servers
    .filter(({ launchId, state }) => launchId === server.launchId && serverIsUp(state))
    .map(({ id }) => id)
    .sort();
  const at = replicas.indexOf(server.id);
  return replicas.length < 2 || at === -1 ? null : `${at + 1} of ${replicas.length}`;
}

/** Start-up stages in order. Engines with terse logs skip some. */
const STAGES = [
  'process up',
  'weights loading',
  'warming up',
  'port open',
  'model listed',
  'one real token',
] as const;

export type StageLine = {
  readonly name: string;
  /** ISO date; null: not reached. */
  readonly at: string | null;
  /** Since the start, milliseconds; null where not reached. */
  readonly afterMs: number | null;
  readonly state: 'reached' | 'under way' | 'to come' | 'left out';
};

export function stageLines({ stages, state, startedAt }: ServerView): readonly StageLine[] {
  const startedMs = Date.parse(startedAt);
  const reached = new Map(stages.map(({ name, at }) => [name, at]));
  const names = [...STAGES, ...stages.map(({ name }) => name).filter((name) => !isKnownStage(name))];
  const last = Math.max(-1, ...names.map((name, at) => (reached.has(name) ? at : -1)));
  return names.map((name, position): StageLine => {
    const at = reached.get(name) ?? null;
    const afterMs = at === null ? null : Math.max(0, Date.parse(at) - startedMs);
    if (at !== null) {
      const working = state.kind === 'starting' && position === last && name !== 'one real token';
      return { name, at, afterMs, state: working ? 'under way' : 'reached' };
    }
    const over = position < last || state.kind === 'ready';
    return { name, at, afterMs, state: over ? 'left out' : 'to come' };
  });
}

function isKnownStage(name: string): boolean {
  return STAGES.some((stage) => stage === name);
}
