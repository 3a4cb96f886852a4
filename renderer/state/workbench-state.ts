import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Analysis } from '../../preload/contract/analysis';
import type { Value } from '../../preload/contract/commands';
import type { WorkbenchEvent } from '../../preload/contract/events';
import type { NodeDetail } from '../../preload/contract/node-detail';
import type { Benchmark, Problem, Recording } from '../../preload/contract/problem';
import type { RunEvent } from '../../preload/contract/run-events';
import type { ServerView } from '../../preload/contract/server';
import type { QuickstartPlan } from '../../preload/contract/study';
import type { WorkbenchClient } from '../workbench-client';
import { assertNever } from './assert-never';
import { createLibraryCommands, type LibraryCommands } from './library-commands';
import { LOADING, type Loadable, loaded } from './loadable';
import { createLocation, type Location } from './location';
import { nodeKey, nodePlaceOf, problemPlaceOf } from './node-place';
import { createNotices, type Notices } from './notices';
import { createResource, type Resource } from './resource';
import { createRuns, type Runs } from './runs';
import { createSettings, type SettingsState } from './settings';
import { createStudies, type Studies } from './studies';
import { createStudyCommands, type StudyCommands } from './study-commands';

/** The one key of things of which there is one. */
export const ONLY = 'only';

export type WorkbenchState = {
  readonly client: WorkbenchClient;
  readonly location: Location;
  readonly notices: Notices;
  readonly settings: SettingsState;
  readonly studies: Studies;
  readonly runs: Runs;
  readonly servers: StoreApi<Loadable<readonly ServerView[]>>;
  /** By study id. */
  readonly analyses: Resource<Analysis>;
  /** By `nodeKey`. */
  readonly details: Resource<NodeDetail>;
  /** By `problemKey`. */
  readonly problems: Resource<Problem>;
  readonly info: Resource<Value<'app.info'>>;
  readonly plan: Resource<QuickstartPlan>;
  readonly benchmarks: Resource<Benchmark[]>;
  readonly recordings: Resource<Recording[]>;
  readonly studyCommands: StudyCommands;
  readonly libraryCommands: LibraryCommands;
  readonly stopServer: (serverId: string) => Promise<void>;
  readonly dispose: () => void;
};

/** All that the window knows, kept current by what main tells. Components read it; nothing else talks to main. */
export function createWorkbenchState(
  client: WorkbenchClient,
  location: Location = createLocation(),
): WorkbenchState {
  const notices = createNotices();
  const settings = createSettings(client, notices);
  const studies = createStudies(client);
  const runs = createRuns(client);
  const servers = createStore<Loadable<readonly ServerView[]>>(() => LOADING);
  const analyses = createResource((studyId) => client.call('study.analysis', { studyId }));
  const details = createResource((key) => client.call('node.read', nodePlaceOf(key)), 200);
  const problems = createResource((key) => client.call('benchmark.problem', problemPlaceOf(key)), 200);
  const info = createResource(() => client.call('app.info', {}));
  const plan = createResource(() => client.call('quickstart.plan', {}));
  const benchmarks = createResource(() => client.call('benchmark.list', {}));
  const recordings = createResource(() => client.call('recording.list', {}));

  /** The detail of a node that was just graded on the private tests has more to show. */
  const gradingArrived = (runId: string, events: readonly RunEvent[]): void => {
    for (const event of events) {
      if (event.kind !== 'node-graded') continue;
      const { problemId, part, index } = event;
      details.refresh(nodeKey({ runId, problemId, part, index }));
    }
  };

  const hear = (event: WorkbenchEvent): void => {
    switch (event.kind) {
      case 'study-changed':
        studies.changed(event.view);
        break;
      case 'study-removed':
        studies.removed(event.studyId);
        break;
      case 'run-events':
        runs.apply(event.runId, event.events);
        gradingArrived(event.runId, event.events);
        break;
      case 'analysis-changed':
        analyses.refresh(event.studyId);
        break;
      case 'servers-changed':
        servers.setState({ kind: 'ready', value: event.servers }, true);
        break;
      case 'library-changed':
        benchmarks.refreshAll();
        recordings.refreshAll();
        problems.refreshAll();
        break;
      case 'settings-changed':
        settings.told(event.settings);
        // Whether candidates may be run can hang on a setting.
        info.refreshAll();
        plan.refreshAll();
        break;
      case 'go-to':
        location.goToAddress(event.address);
        break;
      case 'notice':
        notices.tell({ level: event.level, message: event.message });
        break;
      default:
        assertNever(event);
    }
  };

  const unsubscribe = client.onEvents((batch) => {
    for (const event of joinRunEvents(batch)) hear(event);
  });
  const loadServers = async (): Promise<void> => {
    const answer = await client.call('server.list', {});
    // What was told meanwhile is newer than the answer.
    if (servers.getState().kind !== 'ready') servers.setState(loaded(answer), true);
  };
  void settings.load();
  void studies.load();
  void loadServers();

  return {
    client,
    location,
    notices,
    settings,
    studies,
    runs,
    servers,
    analyses,
    details,
    problems,
    info,
    plan,
    benchmarks,
    recordings,
    studyCommands: createStudyCommands(client, notices, location, studies.load),
    libraryCommands: createLibraryCommands(client, notices),
    stopServer: async (serverId) => {
      const answer = await client.call('server.stop', { serverId });
      if (!answer.ok) notices.refused(answer.error);
    },
    dispose: () => {
      unsubscribe();
      location.dispose();
    },
  };
}

/** Main sends one event a message; joined by run, a batch is folded once a run instead of once an event. */
export function joinRunEvents(batch: readonly WorkbenchEvent[]): WorkbenchEvent[] {
  const joined: WorkbenchEvent[] = [];
  const byRun = new Map<string, RunEvent[]>();
  for (const event of batch) {
    if (event.kind !== 'run-events') {
      joined.push(event);
      continue;
    }
    const known = byRun.get(event.runId);
    if (known !== undefined) {
      known.push(...event.events);
      continue;
    }
    const events = [...event.events];
    byRun.set(event.runId, events);
    joined.push({ ...event, events });
  }
  return joined;
}
