import type { TrainingAlarm } from '../../../../preload/contract';
import { ageText, bytesText, numberText } from './alarm-words';
import type { TrendOf } from './curve-book';
import { meanOf, medianOf, type Trend, varianceOf, WINDOW } from './trend';

/** What is known of a training when somebody asks for its alarms. Times are of one clock, in milliseconds. */
export type AlarmFacts = {
  readonly nowMs: number;
  /** When its process was started; null: there is none, and only its values are judged. */
  readonly startedMs: number | null;
  /** It measures itself: no step comes meanwhile. */
  readonly isEvaluating: boolean;
  readonly trends: readonly TrendOf[];
  /** When the newest point came, and the times between the latest ones; null: no point yet, or no clock. */
  readonly pace: { readonly lastMs: number; readonly gaps: readonly number[] } | null;
  readonly step: number;
  readonly checkpoints: {
    /** Planned updates between two; null: not known. */
    readonly every: number | null;
    /** Where each agent is, and of which step its newest checkpoint is; null: it has none. */
    readonly agents: readonly {
      readonly agentId: string | null;
      readonly step: number;
      readonly newest: number | null;
    }[];
    /** Bytes of one checkpoint of every agent; null: there is none yet. */
    readonly roundBytes: number | null;
  };
  readonly disk: { readonly freeBytes: number; readonly folder: string } | null;
  /** What could not be read, a sentence each. */
  readonly unreadable: readonly string[];
};

/** So many times the usual step is no longer an unlucky step; an evaluation in between takes this long at times. */
const STALL_TIMES = 5;
/** Shorter pauses are nothing to a person, and TensorBoard's writer holds points back for two minutes. */
const STALL_LEAST_MS = 300_000;
/** An evaluation of a benchmark by tree search takes hours on some machines. */
const EVALUATION_LEAST_MS = 6 * 3_600_000;
/** Points before the usual time of a step is known. */
const PACE_POINTS = 5;
/** Before this many points nothing is said of a collapse: the first steps of a training are its wildest. */
const COLLAPSE_POINTS = 2 * WINDOW;
/** An entropy below this share of its begin no longer explores. */
const ENTROPY_SHARE = 0.05;
/**
 * A reward that has lost so much of its best is not noise, if it also is so many standard errors below. Healthy pocket
 * trainings fall by up to 55 %, since some batches have harder problems.
 */
const REWARD_LOSS = 0.7;
const REWARD_ERRORS = 4;
/** Share of samples without any signal from which the updates are noise. */
const NO_SIGNAL_SHARE = 0.97;
/** So many planned checkpoints may be late. */
const CHECKPOINTS_LATE = 3;
const LEAST_FREE_BYTES = 2 ** 30;

/** What a person should look at, the worst first. Decided from values alone: the same facts, the same alarms. */
export function alarmsOf(facts: AlarmFacts): TrainingAlarm[] {
  const ofProcess =
    facts.startedMs === null ? [] : [...stall(facts), ...oldCheckpoint(facts), ...fullDisk(facts)];
  return [
    ...endless(facts),
    ...facts.trends.flatMap(collapses),
    ...noSignal(facts),
    ...ofProcess,
    ...unreadable(facts),
  ];
}

/** One alarm an agent: once one quantity is broken, the others follow. */
function endless({ trends }: AlarmFacts): TrainingAlarm[] {
  const byAgent = new Map<string | null, { keys: string[]; step: number }>();
  for (const { agentId, part, key, trend } of trends) {
    // Quantities that we do not know may be undefined by design, e.g. a mean over no samples.
    if (part === 'other' || trend.endless === null || trend.endless.last < trend.lastStep) continue;
    const told = byAgent.get(agentId) ?? { keys: [], step: trend.endless.first };
    byAgent.set(agentId, {
      keys: [...told.keys, key],
      step: Math.min(told.step, trend.endless.first),
    });
  }
  return [...byAgent].map(([agentId, { keys, step }]) => ({
    kind: 'nan',
    agentId,
    step,
    message: `${listed(keys)} ${keys.length === 1 ? 'is' : 'are'} no number since step ${step}. Stop the training and resume it from a checkpoint before that step, with a lower learning rate or tighter clipping.`,
  }));
}

function collapses({ agentId, part, key, trend }: TrendOf): TrainingAlarm[] {
  if (part !== 'train' || trend.count < COLLAPSE_POINTS) return [];
  const now = meanOf(trend.recent);
  const step = trend.lastStep;
  if (key === 'entropy' && trend.first > 0 && now < ENTROPY_SHARE * trend.first) {
    const message = `The entropy has fallen to ${numberText(now)}, from ${numberText(trend.first)} at the begin: the policy hardly varies its answers any more. Look at its rollouts; a higher temperature, a lower learning rate or a stronger KL term keeps it open.`;
    return [{ kind: 'entropy-collapse', agentId, step, message }];
  }
  if (key !== 'reward' || !hasCollapsed(trend.best, trend.recent)) return [];
  const message = `The reward has fallen to ${numberText(now)}, from ${numberText(trend.best.mean)} at its best (means of ${WINDOW} steps). Look at the rollouts of the last steps, and go on from a checkpoint before the fall with a lower learning rate.`;
  return [{ kind: 'reward-collapse', agentId, step, message }];
}

function hasCollapsed(best: Trend['best'], recent: readonly number[]): boolean {
  const fall = best.mean - meanOf(recent);
  const error = Math.sqrt((best.variance + varianceOf(recent)) / WINDOW);
  return fall > Math.abs(best.mean) * REWARD_LOSS && fall > REWARD_ERRORS * error;
}

function noSignal({ trends }: AlarmFacts): TrainingAlarm[] {
  const alarms: TrainingAlarm[] = [];
  for (const { agentId, part, key, trend } of trends) {
    if (part !== 'train' || trend.recent.length < WINDOW) continue;
    const isFlat = key === 'group-reward-std' && trend.recent.every((value) => value === 0);
    const isEqual = key === 'zero-advantage' && meanOf(trend.recent) >= NO_SIGNAL_SHARE;
    if ((!isFlat && !isEqual) || alarms.some((alarm) => alarm.agentId === agentId)) continue;
    const seen = isFlat
      ? `In the last ${WINDOW} steps all samples of a group had the same reward`
      : `In the last ${WINDOW} steps ${Math.round(meanOf(trend.recent) * 100)} % of the samples had an advantage of 0`;
    const message = `${seen}, so there is nothing to learn from. Take problems that are neither always nor never solved, more nodes a tree, or switch the filter on; see too that the grader works.`;
    alarms.push({ kind: 'no-signal', agentId, step: trend.lastStep, message });
  }
  return alarms;
}

function stall({ pace, nowMs, startedMs, step, isEvaluating }: AlarmFacts): TrainingAlarm[] {
  if (pace === null || pace.gaps.length < PACE_POINTS) return [];
  // One that was resumed is not to blame for the time before.
  const idleMs = nowMs - Math.max(pace.lastMs, startedMs ?? 0);
  const usualMs = medianOf(pace.gaps);
  const longestMs = Math.max(...pace.gaps);
  const leastMs = isEvaluating ? EVALUATION_LEAST_MS : STALL_LEAST_MS;
  if (idleMs < Math.max(leastMs, STALL_TIMES * usualMs, 2 * longestMs)) return [];
  const message = `Nothing new for ${ageText(idleMs)} after step ${step}; a step takes ${ageText(usualMs)}. Look at the end of its log and at the GPUs; if it hangs, stop and resume it: it goes on from its last checkpoint.`;
  return [{ kind: 'stall', agentId: null, step, message }];
}

/** Of the agent that would lose most. */
function oldCheckpoint({ checkpoints: { every, agents } }: AlarmFacts): TrainingAlarm[] {
  const behind = (one: (typeof agents)[number]): number => one.step - (one.newest ?? 0);
  const worst = agents.toSorted((a, b) => behind(b) - behind(a))[0];
  if (every === null || worst === undefined || behind(worst) <= CHECKPOINTS_LATE * every) return [];
  const { agentId, step, newest } = worst;
  const seen =
    newest === null
      ? `There is no checkpoint after ${step} steps`
      : `The newest checkpoint is of step ${newest}, the training is at step ${step}`;
  const message = `${seen}; one is due every ${every}. What came since would be lost with the process: see in the log whether it could be written, and whether the disk is full.`;
  return [{ kind: 'old-checkpoint', agentId, step: newest, message }];
}

function fullDisk({ disk, checkpoints }: AlarmFacts): TrainingAlarm[] {
  if (disk === null) return [];
  const round = checkpoints.roundBytes;
  if (disk.freeBytes >= Math.max(LEAST_FREE_BYTES, 2 * (round ?? 0))) return [];
  const need = round === null ? '' : `; the next checkpoints take about ${bytesText(round)}`;
  const message = `${bytesText(disk.freeBytes)} are free where the checkpoints go (${disk.folder})${need}. Make room there before the next one is written: old checkpoints can go first.`;
  return [{ kind: 'disk', agentId: null, step: null, message }];
}

function unreadable(facts: AlarmFacts): TrainingAlarm[] {
  return facts.unreadable.map((seen) => ({
    kind: 'unreadable',
    agentId: null,
    step: null,
    message: `${seen} The curves may lack points. See whether the disk was full when it was written.`,
  }));
}

function listed(keys: readonly string[]): string {
  const shown = keys.slice(0, 4).join(', ');
  return keys.length > 4 ? `${shown} and ${keys.length - 4} more` : shown;
}
