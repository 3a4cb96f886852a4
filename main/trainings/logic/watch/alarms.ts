import type { TrainingAlarm } from '../../../../preload/contract';
import { counted } from '../../../base/index';
import type { QuantityTrend } from './curve-store';
import { meanOf, medianOf, type Trend, varianceOf, WINDOW } from './trend';

/** What is known of a training when its alarms are computed. Times are of one clock, in milliseconds. */
export type AlarmFacts = {
  readonly nowMs: number;
  /** When its process was started; null: there is no process, and only the values are judged. */
  readonly startedMs: number | null;
  /** It was started by another program, so it cannot be stopped or resumed here. */
  readonly isWatched: boolean;
  /** It is evaluating: no steps are made meanwhile. */
  readonly isEvaluating: boolean;
  readonly trends: readonly QuantityTrend[];
  /** When the newest point arrived, and the intervals between recent points; null: no point yet, or no times. */
  readonly arrivals: { readonly lastMs: number; readonly gaps: readonly number[] } | null;
  readonly step: number;
  readonly checkpoints: {
    /** Planned updates between two; null: unknown. */
    readonly every: number | null;
    /** Each agent's step, and the step of its newest checkpoint; null: it has none. */
    readonly agents: readonly {
      readonly agentId: string | null;
      readonly step: number;
      readonly newest: number | null;
    }[];
    /** Total bytes of one checkpoint per agent; null: there is none yet. */
    readonly roundBytes: number | null;
  };
  readonly disk: { readonly freeBytes: number; readonly folder: string } | null;
  /** The error at the end of its log, for trainings whose end no job reports; null: none. */
  readonly logError: string | null;
  /** What could not be read, one sentence each. */
  readonly unreadable: readonly string[];
};

/** A pause this many times the usual step is a stall; an evaluation in between may take nearly as long. */
const STALL_FACTOR = 5;
/** Shorter pauses do not matter, and TensorBoard's writer buffers points for two minutes. */
const MIN_STALL_MS = 300_000;
/** Evaluating a benchmark by tree search takes hours on some machines. */
const MIN_EVALUATION_STALL_MS = 6 * 3_600_000;
/** Intervals needed before the usual time of a step is known. */
const MIN_RATE_POINTS = 5;
/** No collapse alarm before this many points: the first steps of a training fluctuate most. */
const MIN_COLLAPSE_POINTS = 2 * WINDOW;
/** Below this fraction of its initial entropy a policy no longer explores. */
const ENTROPY_SHARE = 0.05;
/**
 * The reward has collapsed if it has lost this fraction of its best, and is this many standard errors below. Healthy
 * pocket trainings drop by up to 55 %, since some batches have harder problems.
 */
const REWARD_LOSS = 0.7;
const REWARD_STANDARD_ERRORS = 4;
/** If this fraction of the samples has no signal, updates are noise. */
const NO_SIGNAL_SHARE = 0.97;
/** Publications before their mean says something, and how far it may be from 1: a single slope is known to 0.125. */
const MIN_PUBLICATIONS = 3;
const LARGEST_PUBLISH_ERROR = 0.15;
/** So many planned checkpoints may be missing. */
const MAX_CHECKPOINTS_LATE = 3;
const MIN_FREE_BYTES = 2 ** 30;

/** What a person should look at, most severe first. Pure: the same facts give the same alarms. */
export function alarmsOf(facts: AlarmFacts): TrainingAlarm[] {
  const ofProcess =
    facts.startedMs === null
      ? []
      : [...stallAlarm(facts), ...oldCheckpointAlarm(facts), ...fullDiskAlarm(facts)];
  return [
    ...nonFiniteAlarms(facts),
    ...facts.trends.flatMap(collapseAlarms),
    ...noSignalAlarms(facts),
    ...partialPublishAlarms(facts),
    ...logErrorAlarm(facts),
    ...ofProcess,
    ...unreadable(facts),
  ];
}

/** One alarm per agent: once one quantity is broken, the others follow. */
function nonFiniteAlarms({ trends }: AlarmFacts): TrainingAlarm[] {
  const byAgent = new Map<string | null, { keys: string[]; step: number }>();
  for (const { agentId, part, key, trend } of trends) {
    // Unknown quantities may be undefined by design, e.g. a mean over no samples.
    if (part === 'other' || trend.nonFinite === null || trend.nonFinite.last < trend.lastStep) continue;
    const entry = byAgent.get(agentId) ?? { keys: [], step: trend.nonFinite.first };
    byAgent.set(agentId, {
      keys: [...entry.keys, key],
      step: Math.min(entry.step, trend.nonFinite.first),
    });
  }
  return [...byAgent].map(([agentId, { keys, step }]) => ({
    kind: 'nan',
    agentId,
    step,
    message: `${joinKeys(keys)} ${keys.length === 1 ? 'has' : 'have'} been NaN or infinite since step ${step}. Stop the training and restart it from a checkpoint before that step, with a lower learning rate or tighter clipping.`,
  }));
}

function collapseAlarms({ agentId, part, key, trend }: QuantityTrend): TrainingAlarm[] {
  if (part !== 'train' || trend.count < MIN_COLLAPSE_POINTS) return [];
  const now = meanOf(trend.recent);
  const step = trend.lastStep;
  if (key === 'entropy' && trend.first > 0 && now < ENTROPY_SHARE * trend.first) {
    const message = `The entropy has fallen to ${numberText(now)}, from ${numberText(trend.first)} at the start: the policy hardly varies its answers any more. Check its rollouts; a higher temperature, a lower learning rate or a stronger KL term keeps it exploring.`;
    return [{ kind: 'entropy-collapse', agentId, step, message }];
  }
  if (key !== 'reward' || !hasCollapsed(trend.best, trend.recent)) return [];
  const message = `The reward has fallen to ${numberText(now)}, from ${numberText(trend.best.mean)} at its best (means of ${WINDOW} steps). Check the rollouts of the last steps, and continue from a checkpoint before the drop with a lower learning rate.`;
  return [{ kind: 'reward-collapse', agentId, step, message }];
}

function hasCollapsed(best: Trend['best'], recent: readonly number[]): boolean {
  const fall = best.mean - meanOf(recent);
  const error = Math.sqrt((best.variance + varianceOf(recent)) / WINDOW);
  return fall > Math.abs(best.mean) * REWARD_LOSS && fall > REWARD_STANDARD_ERRORS * error;
}

function noSignalAlarms({ trends }: AlarmFacts): TrainingAlarm[] {
  const alarms: TrainingAlarm[] = [];
  for (const { agentId, part, key, trend } of trends) {
    if (part !== 'train' || trend.recent.length < WINDOW) continue;
    const isFlat = key === 'group-reward-std' && trend.recent.every((value) => value === 0);
    const isEqual = key === 'zero-advantage' && meanOf(trend.recent) >= NO_SIGNAL_SHARE;
    if ((!isFlat && !isEqual) || alarms.some((alarm) => alarm.agentId === agentId)) continue;
    const flatText = isFlat
      ? `In the last ${WINDOW} steps all samples of a group had the same reward`
      : `In the last ${WINDOW} steps ${Math.round(meanOf(trend.recent) * 100)} % of the samples had an advantage of 0`;
    const message = `${flatText}, so there is nothing to learn from. Use problems that are sometimes solved, use more nodes per tree, or turn the filter on; also check that the grader works.`;
    alarms.push({ kind: 'no-signal', agentId, step: trend.lastStep, message });
  }
  return alarms;
}

/** A training ends where half of a change is missing; less shows as a mean of publications that were all proven. */
function partialPublishAlarms({ trends }: AlarmFacts): TrainingAlarm[] {
  return trends.flatMap(({ agentId, part, key, trend }) => {
    if (part !== 'train' || key !== 'publish-slope' || trend.recent.length < MIN_PUBLICATIONS) return [];
    const proven = trends.find((other) => other.key === 'publish-proven' && other.agentId === agentId);
    const share = meanOf(trend.recent);
    if (proven?.trend.recent.every((value) => value === 1) !== true) return [];
    if (Math.abs(share - 1) <= LARGEST_PUBLISH_ERROR) return [];
    const message = `Of what the learner changed, ${numberText(share)} arrived at the engine in the last ${trend.recent.length} publications, not 1: it does not take over all weights. Stop the training, and start it with --publish restart.`;
    return [{ kind: 'partial-publish', agentId, step: trend.lastStep, message }];
  });
}

function logErrorAlarm({ logError, step }: AlarmFacts): TrainingAlarm[] {
  if (logError === null) return [];
  const message = `Its log ends with an error: ${logError} Read the lines before it in the log, and ask who started it.`;
  return [{ kind: 'log-error', agentId: null, step, message }];
}

function stallAlarm({
  arrivals,
  nowMs,
  startedMs,
  step,
  isEvaluating,
  isWatched,
}: AlarmFacts): TrainingAlarm[] {
  if (arrivals === null || arrivals.gaps.length < MIN_RATE_POINTS) return [];
  // The time before a resume does not count.
  const idleMs = nowMs - Math.max(arrivals.lastMs, startedMs ?? 0);
  const usualMs = medianOf(arrivals.gaps);
  const longestMs = Math.max(...arrivals.gaps);
  const leastMs = isEvaluating ? MIN_EVALUATION_STALL_MS : MIN_STALL_MS;
  if (idleMs < Math.max(leastMs, STALL_FACTOR * usualMs, 2 * longestMs)) return [];
  const message = `Nothing new for ${ageText(idleMs)} after step ${step}; a step takes ${ageText(usualMs)}. Check the end of its log and the GPUs; if it hangs, ${isWatched ? 'ask who started it' : 'stop and resume it: it continues from its last checkpoint'}.`;
  return [{ kind: 'stall', agentId: null, step, message }];
}

/** For the agent that would lose most. */
function oldCheckpointAlarm({ checkpoints: { every, agents } }: AlarmFacts): TrainingAlarm[] {
  const behind = (agent: (typeof agents)[number]): number => agent.step - (agent.newest ?? 0);
  const worst = agents.toSorted((a, b) => behind(b) - behind(a))[0];
  if (every === null || worst === undefined || behind(worst) <= MAX_CHECKPOINTS_LATE * every) return [];
  const { agentId, step, newest } = worst;
  const seen =
    newest === null
      ? `There is no checkpoint after ${counted(step, 'step')}`
      : `The newest checkpoint is from step ${newest}, and the training is at step ${step}`;
  const message = `${seen}; one is due every ${every}. Later progress would be lost with the process: check the log for write errors, and whether the disk is full.`;
  return [{ kind: 'old-checkpoint', agentId, step: newest, message }];
}

function fullDiskAlarm({ disk, checkpoints }: AlarmFacts): TrainingAlarm[] {
  if (disk === null) return [];
  const round = checkpoints.roundBytes;
  if (disk.freeBytes >= Math.max(MIN_FREE_BYTES, 2 * (round ?? 0))) return [];
  const need = round === null ? '' : `; the next checkpoints take about ${bytesText(round)}`;
  const message = `Only ${bytesText(disk.freeBytes)} are free on the disk of the checkpoints (${disk.folder})${need}. Free some space before the next checkpoint is written, for example by deleting old checkpoints.`;
  return [{ kind: 'disk', agentId: null, step: null, message }];
}

function unreadable(facts: AlarmFacts): TrainingAlarm[] {
  return facts.unreadable.map((problem) => ({
    kind: 'unreadable',
    agentId: null,
    step: null,
    message: `${problem} The curves may lack points. Check whether the disk was full when the file was written.`,
  }));
}

function joinKeys(keys: readonly string[]): string {
  const shown = keys.slice(0, 4).join(', ');
  return keys.length > 4 ? `${shown} and ${keys.length - 4} more` : shown;
}

/** Formats a duration: "45 s", "12 min", "3.5 h", "2.1 days". */
function ageText(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 2 * 3_600) return `${Math.round(seconds / 60)} min`;
  return seconds < 48 * 3_600 ? `${(seconds / 3_600).toFixed(1)} h` : `${(seconds / 86_400).toFixed(1)} days`;
}

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

function bytesText(bytes: number): string {
  let size = bytes / 1_024;
  let unit = 0;
  for (; size >= 1_024 && unit < UNITS.length - 1; unit++) size /= 1_024;
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`;
}

/** Three significant digits: a mean of ten noisy values has no more. */
function numberText(value: number): string {
  return String(Number(value.toPrecision(3)));
}
