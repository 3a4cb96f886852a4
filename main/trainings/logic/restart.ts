import { shellPath } from '../../base';
import type { StartedFrom, TrainingRecord } from './training-record';
import { type CheckpointFolder, checkpointScript, parseCheckpointListing } from './watch/checkpoint-listing';

/** What a start can continue from. */
export type SavedProgress = Pick<StartedFrom, 'steps' | 'state'>;

/** Prints what a training can continue from. `ownFolder`: of our own trainer, which saves a state; null: another trainer. */
export function progressScript(checkpoints: readonly CheckpointFolder[], ownFolder: string | null): string {
  // Each saved state replaces the one before: another file, at another time.
  const file = shellPath(`${ownFolder}/state.json`);
  const state = `stat -c '%Y %i %s' ${file} 2>/dev/null || stat -f '%m %i %z' ${file} 2>/dev/null`;
  return `${ownFolder === null ? '' : `echo "state $(${state})"`}\n${checkpointScript(checkpoints)}`;
}

/** Parses the output of `progressScript`; null: it is none. */
export function parseProgress(
  stdout: string,
  folders: readonly CheckpointFolder[],
  agentIds: readonly string[],
): SavedProgress | null {
  const { nowSeconds, checkpoints } = parseCheckpointListing(stdout, folders, agentIds, () => '');
  if (nowSeconds === null) return null;
  const steps = new Map<string, number>();
  for (const { agentId, step } of checkpoints) steps.set(agentId, Math.max(step, steps.get(agentId) ?? 0));
  return { steps: Object.fromEntries(steps), state: /^state (.+)$/m.exec(stdout)?.[1] ?? null };
}

/** Why starts of it by itself are of no use, a sentence; null: it continues from its newest checkpoint. */
export function neverRestartedReason({
  order: request,
  recipe,
}: Pick<TrainingRecord, 'order' | 'recipe'>): string | null {
  if (request.spec.kind !== 'recipe') return null;
  if (recipe?.resumes !== true) {
    return 'It is not restarted by itself: its recipe does not say that the same command continues from a checkpoint ("resumes": true).';
  }
  return recipe.checkpoints === null
    ? 'It is not restarted by itself: its recipe does not say where checkpoints are.'
    : null;
}

/**
 * Whether there is something newer to continue from than what its last start found. `why`: from what, or a sentence
 * that says why not. `before` null: the last start found nothing, or did not look.
 */
export function restartDecision(
  before: SavedProgress | null,
  now: SavedProgress,
): { readonly isAllowed: boolean; readonly why: string } {
  const newer = Object.entries(now.steps).filter(([agentId, step]) => step > (before?.steps[agentId] ?? -1));
  const text = newer.map(([agentId, step]) => (agentId === '' ? `${step}` : `${agentId} ${step}`)).join(', ');
  if (newer.length > 0) return { isAllowed: true, why: `from the checkpoint of step ${text}` };
  if (now.state !== null && now.state !== before?.state) {
    return { isAllowed: true, why: 'from the state that it saved last' };
  }
  const why =
    'It is not restarted by itself: it has saved no checkpoint since its last start, so it would only repeat what it did.';
  return { isAllowed: false, why };
}

/** Restarts in a row of a plan's training that has saved nothing. */
const MAX_IN_VAIN = 3;
/** 128 + SIGKILL. */
const KILLED = 137;

/**
 * A step of a plan (an experiment, a reproduction) that was killed before it saved anything is begun again: the plan, which
 * a person started, would stop with it. Not one that ended by itself, which would do so again.
 */
export function mayStartOver(
  {
    experimentId,
    reproductionId,
    startedFrom,
  }: Pick<TrainingRecord, 'experimentId' | 'reproductionId' | 'startedFrom'>,
  exitCode: number | null,
): boolean {
  const isOfPlan = experimentId !== null || reproductionId !== undefined;
  const wasKilled = exitCode === null || exitCode === KILLED;
  return isOfPlan && wasKilled && (startedFrom?.inVain ?? 0) < MAX_IN_VAIN;
}
