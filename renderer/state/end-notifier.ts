import type { StoreApi } from 'zustand/vanilla';
import type { WorkbenchEvent } from '../../preload/contract/events';
import type { ServerView } from '../../preload/contract/server';
import { type Loadable, readyValue } from './loadable';
import type { Location } from './location';
import type { Notices } from './notices';
import { pathOf } from './routes';
import type { SettingsState } from './settings';
import type { Trainings } from './trainings';

type Deps = {
  readonly notices: Notices;
  readonly settings: SettingsState;
  readonly location: Location;
  readonly servers: StoreApi<Loadable<readonly ServerView[]>>;
  readonly trainings: Trainings;
};

/** Shows a notice when something ended, failed or fell silent, unless its page is open. */
export function createEndNotifier(deps: Deps) {
  const { notices, settings, location, servers, trainings } = deps;

  /** Model servers and trainings are jobs with their own pages, which say more than the job's. */
  const pageOf = (path: string): { readonly address: string; readonly isShown: boolean } => {
    const here = location.store.getState();
    const isIts = ({ jobId }: { readonly jobId?: string | null | undefined }): boolean =>
      jobId != null && path === pathOf({ kind: 'jobs', jobId });
    const server = readyValue(servers.getState())?.find(isIts);
    if (server !== undefined) {
      const isShown = here.route.kind === 'servers';
      return { address: pathOf({ kind: 'servers', serverId: server.id }), isShown };
    }
    const training = readyValue(trainings.store.getState())?.find(isIts);
    if (training !== undefined) {
      const isShown = here.route.kind === 'training' && here.route.trainingId === training.id;
      const route = { kind: 'training', trainingId: training.id, tab: 'curves' } as const;
      return { address: pathOf(route), isShown };
    }
    return { address: path, isShown: here.path === path };
  };

  return (event: Extract<WorkbenchEvent, { kind: 'notification' }>): void => {
    const { about, title, body, key } = event;
    const { address: path, isShown } = pageOf(event.path);
    const isWanted = readyValue(settings.store.getState())?.notify[about] ?? true;
    if (!isWanted || isShown || location.store.getState().path === event.path) return;
    notices.show({
      level: about === 'failed' ? 'error' : about === 'stalled' ? 'warning' : 'info',
      title,
      message: body,
      path,
      action: { label: 'Open', run: () => location.goToPath(path) },
      key,
    });
  };
}
