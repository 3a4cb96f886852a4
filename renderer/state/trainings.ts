import type { StoreApi } from 'zustand/vanilla';
import type { Payload, Value } from '../../preload/contract/commands/index';
import type { Answer, Refusal } from '../../preload/contract/refusal';
import type { TrainingView } from '../../preload/contract/training';
import type { TrainingRequest } from '../../preload/contract/training-spec';
import type { WorkbenchClient } from '../workbench-client';
import { createNewestFirst, type LiveList } from './live-list';
import type { Location } from './location';
import type { Notices } from './notices';
import { createPendingActions } from './pending-actions';

/** An action that main has not answered yet; `serve <checkpoint>`: starting a server of a checkpoint. */
export type TrainingAction =
  | ('stop' | 'resume' | 'remove' | 'restore' | 'delete' | 'list' | 'export')
  | `fetch ${string}`
  | `serve ${string}`;

export type Trainings = LiveList<TrainingView> & {
  /** By training id. */
  readonly pendingActions: StoreApi<ReadonlyMap<string, TrainingAction>>;
  /** Starts it and goes to it; returns a refusal for the form. */
  readonly start: (request: Payload<'training.start'>) => Promise<Refusal | null>;
  /** Starts several and goes to the list; returns a refusal for the form. */
  readonly startMany: (requests: readonly TrainingRequest[]) => Promise<Refusal | null>;
  /** Watches a run that others started and goes to it; returns a refusal for the dialog. */
  readonly watch: (request: Payload<'training.watch'>) => Promise<Refusal | null>;
  /** Asks for a folder and writes the curves there; says where they are. */
  readonly exportCurves: (trainingId: string, format: 'csv' | 'tensorboard' | 'wandb') => Promise<void>;
  readonly stop: (trainingId: string) => Promise<void>;
  readonly resume: (trainingId: string) => Promise<void>;
  /** For one of our own trainings the notice offers undo. */
  readonly remove: (training: TrainingView) => Promise<void>;
  /** What can be restored; null: a notice says why it is not known. */
  readonly trash: () => Promise<Value<'training.trash'> | null>;
  readonly restore: (training: Pick<TrainingView, 'id' | 'name'>) => Promise<void>;
  /** Deletes a training in the trash for good. */
  readonly deleteForGood: (
    training: Pick<TrainingView, 'id' | 'name'>,
    options: { readonly checkpoints: boolean },
  ) => Promise<void>;
  /** Copies a checkpoint of language models from its machine to this computer; shows why it could not. */
  readonly fetchCheckpoint: (trainingId: string, checkpointId: string) => Promise<void>;
  /** Starts a server of a checkpoint and goes to it, or to the launch that needs checking first. */
  readonly serve: (trainingId: string, checkpointId: string) => Promise<void>;
  /** Makes a checkpoint ready to be an agent of a study; returns why it cannot be one. */
  readonly checkMember: (trainingId: string, checkpointId: string) => Promise<Refusal | null>;
  /** Creates the study of checkpoints and goes to it; returns a refusal for the dialog. */
  readonly evaluate: (request: Payload<'training.evaluate'>) => Promise<Refusal | null>;
};

export function createTrainings(client: WorkbenchClient, notices: Notices, location: Location): Trainings {
  const list = createNewestFirst(() => client.call('training.list', {}));
  const { store: pendingActions, run } = createPendingActions<TrainingAction>(notices);
  /** False: a notice says why not. */
  const did = async (id: string, action: TrainingAction, work: Promise<Answer<null>>): Promise<boolean> =>
    (await run(
      id,
      action,
      work.then((answer) => (answer.ok ? { ok: true, value: true } : answer)),
    )) === true;
  const restore: Trainings['restore'] = async ({ id, name }) => {
    if (await did(id, 'restore', client.call('training.restore', { trainingId: id })))
      notices.show({ level: 'info', message: `Restored ${name}.` });
  };
  return {
    ...list,
    removed: (trainingId) => {
      list.removed(trainingId);
      const route = location.store.getState().route;
      if (route.kind === 'training' && route.trainingId === trainingId) {
        location.go({ kind: 'trainings' }, { replace: true });
      }
    },
    pendingActions,
    start: async (request) => {
      const answer = await client.call('training.start', request);
      if (!answer.ok) return answer.error;
      list.changed(answer.value);
      location.go({ kind: 'training', trainingId: answer.value.id, tab: 'curves' });
      return null;
    },
    startMany: async (requests) => {
      const answer = await client.call('training.startMany', { requests: [...requests] });
      if (!answer.ok) return answer.error;
      for (const training of answer.value.trainings) list.changed(training);
      for (const { name, message } of answer.value.refused) {
        notices.show({ level: 'error', message: `"${name}" was not started: ${message}` });
      }
      location.go({ kind: 'trainings' });
      return null;
    },
    watch: async (request) => {
      const answer = await client.call('training.watch', request);
      if (!answer.ok) return answer.error;
      list.changed(answer.value);
      location.go({ kind: 'training', trainingId: answer.value.id, tab: 'curves' });
      return null;
    },
    exportCurves: async (trainingId, format) => {
      const work = client.call('training.chooseExport', { trainingId, format });
      const written = await run(trainingId, 'export', work);
      if (written !== null) notices.showWritten(`Written: ${written.path}`, written.path);
    },
    stop: async (trainingId) => {
      const training = await run(trainingId, 'stop', client.call('training.stop', { trainingId }));
      if (training !== null) list.changed(training);
    },
    resume: async (trainingId) => {
      const training = await run(trainingId, 'resume', client.call('training.resume', { trainingId }));
      if (training !== null) list.changed(training);
    },
    remove: async ({ id, name, spec }) => {
      const removed = await did(id, 'remove', client.call('training.remove', { trainingId: id }));
      if (!removed || spec.kind === 'watched') return;
      notices.show({
        level: 'info',
        message: `Moved ${name} to the trash. It can be restored there (Training > Trash).`,
        action: { label: 'Undo', run: () => void restore({ id, name }) },
      });
    },
    trash: () => run('trash', 'list', client.call('training.trash', {})),
    restore,
    deleteForGood: async ({ id, name }, { checkpoints }) => {
      const work = client.call('training.delete', { trainingId: id, checkpoints });
      if (await did(id, 'delete', work))
        notices.show({ level: 'info', message: `Deleted ${name} for good.` });
    },
    fetchCheckpoint: async (trainingId, checkpointId) => {
      const work = client.call('training.fetchCheckpoint', { trainingId, checkpointId });
      await run(trainingId, `fetch ${checkpointId}`, work);
    },
    serve: async (trainingId, checkpointId) => {
      const work = client.call('training.serve', { trainingId, checkpointId });
      const made = await run(trainingId, `serve ${checkpointId}`, work);
      if (made === null) return;
      location.go(
        made.kind === 'server'
          ? { kind: 'servers', serverId: made.serverId }
          : { kind: 'launches', launchId: made.launchId },
      );
    },
    checkMember: async (trainingId, checkpointId) => {
      const answer = await client.call('training.member', { trainingId, checkpointId });
      return answer.ok ? null : answer.error;
    },
    evaluate: async (request) => {
      const answer = await client.call('training.evaluate', request);
      if (!answer.ok) return answer.error;
      location.go({ kind: 'study', studyId: answer.value.studyId });
      return null;
    },
  };
}
