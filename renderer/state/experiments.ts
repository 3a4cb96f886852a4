import type { StoreApi } from 'zustand/vanilla';
import type { Payload } from '../../preload/contract/commands/index';
import type { ExperimentView } from '../../preload/contract/experiment';
import type { Refusal } from '../../preload/contract/refusal';
import type { WorkbenchClient } from '../workbench-client';
import { createNewestFirst, type LiveList } from './live-list';
import type { Location } from './location';
import type { Notices } from './notices';
import { createPendingActions } from './pending-actions';

export type ExperimentAction = 'pause' | 'resume' | 'remove';
export type ExperimentExport = Payload<'experiment.chooseExport'>['kind'];

export type Experiments = LiveList<ExperimentView> & {
  /** By experiment id. */
  readonly pendingActions: StoreApi<ReadonlyMap<string, ExperimentAction>>;
  /** Starts it and goes to it; returns a refusal for the form. */
  readonly start: (request: Payload<'experiment.start'>) => Promise<Refusal | null>;
  readonly pause: (experimentId: string) => Promise<void>;
  /** Also retries failed steps. */
  readonly resume: (experimentId: string) => Promise<void>;
  readonly remove: (experimentId: string) => Promise<void>;
  /** Asks where to save; shows a notice when done. */
  readonly exportCsv: (experimentId: string, kind: ExperimentExport) => Promise<void>;
};

const EXPORT_NAMES: Readonly<Record<ExperimentExport, string>> = { cells: 'table', pairs: 'comparisons' };

export function createExperiments(
  client: WorkbenchClient,
  notices: Notices,
  location: Location,
): Experiments {
  const list = createNewestFirst(() => client.call('experiment.list', {}));
  const { store: pendingActions, run } = createPendingActions<ExperimentAction>(notices);
  return {
    ...list,
    removed: (experimentId) => {
      list.removed(experimentId);
      const route = location.store.getState().route;
      if (route.kind === 'experiment' && route.experimentId === experimentId) {
        location.go({ kind: 'experiments' }, { replace: true });
      }
    },
    pendingActions,
    start: async (request) => {
      const answer = await client.call('experiment.start', request);
      if (!answer.ok) return answer.error;
      list.changed(answer.value);
      location.go({ kind: 'experiment', experimentId: answer.value.id });
      return null;
    },
    pause: async (experimentId) => {
      const work = client.call('experiment.pause', { experimentId });
      const experiment = await run(experimentId, 'pause', work);
      if (experiment !== null) list.changed(experiment);
    },
    resume: async (experimentId) => {
      const work = client.call('experiment.resume', { experimentId });
      const experiment = await run(experimentId, 'resume', work);
      if (experiment !== null) list.changed(experiment);
    },
    remove: async (experimentId) => {
      await run(experimentId, 'remove', client.call('experiment.remove', { experimentId }));
    },
    exportCsv: async (experimentId, kind) => {
      const answer = await client.call('experiment.chooseExport', { experimentId, kind });
      if (!answer.ok) return notices.showRefusal(answer.error);
      const { rows, path } = answer.value;
      const many = rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`;
      notices.showWritten(`Exported the ${EXPORT_NAMES[kind]} of the experiment: ${many} in ${path}`, path);
    },
  };
}
