import type { StoreApi } from 'zustand/vanilla';
import type { Payload } from '../../preload/contract/commands/index';
import type { Answer, Refusal } from '../../preload/contract/refusal';
import type { ReproductionDecision, ReproductionView } from '../../preload/contract/reproduction';
import type { WorkbenchClient } from '../workbench-client';
import { createNewestFirst, type LiveList } from './live-list';
import type { Location } from './location';
import type { Notices } from './notices';
import { createPendingActions } from './pending-actions';
import { createResource, type Resource } from './resource';
import { createThrottled } from './throttled';

/** Decisions come in bursts when a batch of steps starts. */
const DECISIONS_PAUSE_MS = 2_000;

export type ReproductionAction = 'pause' | 'resume' | 'remove' | 'retry' | 'move';

export type Reproductions = LiveList<ReproductionView> & {
  /** By reproduction id, or by `stepKey`. */
  readonly pendingActions: StoreApi<ReadonlyMap<string, ReproductionAction>>;
  /** By reproduction id, oldest first. */
  readonly decisions: Resource<ReproductionDecision[]>;
  /** Starts it and shows it in its exhibit; returns a refusal for the screen. */
  readonly start: (request: Payload<'reproduction.start'>) => Promise<Refusal | null>;
  readonly pause: (reproductionId: string) => Promise<void>;
  /** Also retries failed steps. */
  readonly resume: (reproductionId: string) => Promise<void>;
  readonly remove: (reproductionId: string) => Promise<void>;
  readonly retry: (reproductionId: string, stepId: string) => Promise<void>;
  readonly move: (reproductionId: string, stepId: string, machineId: string) => Promise<void>;
  readonly dispose: () => void;
};

/** The key of a step among the pending actions. */
export function stepKey(reproductionId: string, stepId: string): string {
  return `${reproductionId} ${stepId}`;
}

export function createReproductions(
  client: WorkbenchClient,
  notices: Notices,
  location: Location,
): Reproductions {
  const list = createNewestFirst(() => client.call('reproduction.list', {}));
  const { store: pendingActions, run } = createPendingActions<ReproductionAction>(notices);
  const decisions = createResource((reproductionId) =>
    client.call('reproduction.decisions', { reproductionId }),
  );
  const refreshDecisions = createThrottled((id) => decisions.refresh(id), DECISIONS_PAUSE_MS);
  const runAction = async (
    key: string,
    action: ReproductionAction,
    work: Promise<Answer<ReproductionView>>,
  ): Promise<void> => {
    const view = await run(key, action, work);
    if (view !== null) list.changed(view);
  };
  return {
    ...list,
    changed: (view) => {
      list.changed(view);
      refreshDecisions.schedule(view.id);
    },
    removed: (reproductionId) => {
      list.removed(reproductionId);
      const { route } = location.store.getState();
      if (!('reproductionId' in route) || route.reproductionId !== reproductionId) return;
      if (route.kind === 'reproduction') location.go({ kind: 'exhibits' }, { replace: true });
      else if (route.kind === 'exhibit') {
        const { exhibitId, scale } = route;
        location.go({ kind: 'exhibit', exhibitId, scale }, { replace: true });
      }
    },
    pendingActions,
    decisions,
    start: async (request) => {
      const answer = await client.call('reproduction.start', request);
      if (!answer.ok) return answer.error;
      list.changed(answer.value);
      const { exhibitId, scale } = answer.value.order;
      location.go({ kind: 'exhibit', exhibitId, scale, reproductionId: answer.value.id });
      return null;
    },
    pause: (reproductionId) =>
      runAction(reproductionId, 'pause', client.call('reproduction.pause', { reproductionId })),
    resume: (reproductionId) =>
      runAction(reproductionId, 'resume', client.call('reproduction.resume', { reproductionId })),
    remove: async (reproductionId) => {
      await run(reproductionId, 'remove', client.call('reproduction.remove', { reproductionId }));
    },
    retry: (reproductionId, stepId) =>
      runAction(
        stepKey(reproductionId, stepId),
        'retry',
        client.call('reproduction.retry', { reproductionId, stepId }),
      ),
    move: (reproductionId, stepId, machineId) =>
      runAction(
        stepKey(reproductionId, stepId),
        'move',
        client.call('reproduction.move', { reproductionId, stepId, machineId }),
      ),
    dispose: refreshDecisions.dispose,
  };
}
