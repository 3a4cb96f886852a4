import { MantineProvider } from '@mantine/core';
import { useColorScheme } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { ActivityScreen, HomeScreen } from './home/index';
import { type JobDraft, JobsScreen, NewJobScreen } from './jobs/index';
import { LibraryScreen } from './library/index';
import { EditMachineScreen, MachineScreen, MachinesScreen, NewMachineScreen } from './machines/index';
import { type LaunchDraft, LaunchesScreen, LaunchFormScreen, ServersScreen } from './servers/index';
import { SettingsScreen } from './settings/index';
import { MOST_NOTICES, Shell } from './shell/index';
import { type Route, StateProvider, useLogins, useRoute, type WorkbenchState } from './state/index';
import { StudiesScreen } from './studies/index';
import { assertNever } from './text/assert-never';
import { mantineTheme, mantineVariables } from './theme/index';
import { EmptyState, LoadingState } from './widgets/index';

// Charts, trees, code views and terminals are large; the first screen does not wait for them.
const openCompare = () => import('./compare/index');
const openStudy = () => import('./study/index');
const openNewStudy = () => import('./new-study/index');
const openRun = () => import('./run/index');
const openLogs = () => import('./logs/index');
const openTraining = () => import('./training/index');
const openNewTraining = () => import('./new-training/index');
const openExperiments = () => import('./experiments/index');
const openExhibits = () => import('./exhibits/index');
const openTerminals = () => import('./terminals/index');
const StudyScreen = lazy(() => openStudy().then((module) => ({ default: module.StudyScreen })));
const CompareScreen = lazy(() => openCompare().then((module) => ({ default: module.CompareScreen })));
const NewStudyScreen = lazy(() => openNewStudy().then((module) => ({ default: module.NewStudyScreen })));
const RunScreen = lazy(() => openRun().then((module) => ({ default: module.RunScreen })));
const TrainingsScreen = lazy(() => openTraining().then((module) => ({ default: module.TrainingsScreen })));
const ExperimentsScreen = lazy(() =>
  openExperiments().then((module) => ({ default: module.ExperimentsScreen })),
);
const ExperimentScreen = lazy(() =>
  openExperiments().then((module) => ({ default: module.ExperimentScreen })),
);
const NewExperimentScreen = lazy(() =>
  openExperiments().then((module) => ({ default: module.NewExperimentScreen })),
);
const ExhibitsScreen = lazy(() => openExhibits().then((module) => ({ default: module.ExhibitsScreen })));
const ExhibitScreen = lazy(() => openExhibits().then((module) => ({ default: module.ExhibitScreen })));
const ReproductionScreen = lazy(() =>
  openExhibits().then((module) => ({ default: module.ReproductionScreen })),
);
const ExhibitEditor = lazy(() => openExhibits().then((module) => ({ default: module.ExhibitEditor })));
const NewTrainingScreen = lazy(() =>
  openNewTraining().then((module) => ({ default: module.NewTrainingScreen })),
);
const TrainingScreen = lazy(() => openTraining().then((module) => ({ default: module.TrainingScreen })));
const TerminalsScreen = lazy(() => openTerminals().then((module) => ({ default: module.TerminalsScreen })));
const LoginPane = lazy(() => openTerminals().then((module) => ({ default: module.LoginPane })));
const JobLogs = lazy(() => openLogs().then((module) => ({ default: module.JobLogs })));
const LogPane = lazy(() => openLogs().then((module) => ({ default: module.LogPane })));

/** Once the first screen stands and nothing else is to do, the others are made ready: a press then opens at once. */
function useEagerScreens(): void {
  useEffect(() => {
    const idle = window.requestIdleCallback(
      () =>
        void Promise.all([
          openStudy(),
          openCompare(),
          openRun(),
          openLogs(),
          openNewStudy(),
          openTraining(),
          openNewTraining(),
          openExperiments(),
          openExhibits(),
          openTerminals(),
        ]),
    );
    return () => window.cancelIdleCallback(idle);
  }, []);
}

export function App(props: { readonly state: WorkbenchState }) {
  const system = useColorScheme('light', { getInitialValueInEffect: false });
  const settings = useStore(props.state.settings.store);
  useEagerScreens();
  // A moment of the page's ground is better than a flash of the wrong theme.
  if (settings.kind === 'loading') return null;
  const theme = settings.kind === 'ready' ? settings.value.theme : 'system';
  return (
    <MantineProvider
      theme={mantineTheme}
      cssVariablesResolver={mantineVariables}
      forceColorScheme={theme === 'system' ? system : theme}
    >
      <Notifications position="bottom-right" limit={MOST_NOTICES} />
      <StateProvider state={props.state}>
        <Shell>
          <CurrentScreen />
        </Shell>
        <Logins />
      </StateProvider>
    </MantineProvider>
  );
}

/** What ssh asks stands over every screen as soon as it asks. */
function Logins() {
  const logins = useLogins();
  if (logins.length === 0) return null;
  return (
    <Suspense>
      <LoginPane />
    </Suspense>
  );
}

function CurrentScreen() {
  const place = useRoute();
  // What is half typed outlives a look at another screen.
  const [job, setJob] = useState<JobDraft | null>(null);
  const [launch, setLaunch] = useState<LaunchDraft | null>(null);
  const drafts = { job, setJob, launch, setLaunch };
  return <Suspense fallback={<Waiting />}>{screenOf(place, drafts)}</Suspense>;
}

type Drafts = {
  readonly job: JobDraft | null;
  readonly setJob: (draft: JobDraft | null) => void;
  readonly launch: LaunchDraft | null;
  readonly setLaunch: (draft: LaunchDraft | null) => void;
};

function screenOf(place: Route, drafts: Drafts) {
  switch (place.kind) {
    case 'home':
      return <HomeScreen />;
    case 'studies':
      return <StudiesScreen />;
    case 'new-study':
      return <NewStudyScreen benchmarkId={place.benchmarkId} preset={place.preset ?? null} />;
    case 'study':
      return <StudyScreen key={place.studyId} studyId={place.studyId} check={place.check ?? null} />;
    case 'run':
      return <RunScreen key={place.runId} place={place} />;
    case 'compare':
      return <CompareScreen place={place} />;
    case 'jobs':
      return <JobsScreen jobId={place.jobId} JobLogs={JobLogs} />;
    case 'new-job':
      return (
        <NewJobScreen
          machineId={place.machineId}
          from={place.from ?? null}
          kept={drafts.job}
          onKept={drafts.setJob}
        />
      );
    case 'launches':
      return <LaunchesScreen launchId={place.launchId} />;
    case 'new-launch':
      return (
        <LaunchFormScreen
          machineId={place.machineId}
          saved={null}
          kept={drafts.launch}
          onKept={drafts.setLaunch}
        />
      );
    case 'servers':
      return <ServersScreen serverId={place.serverId} LogPane={LogPane} />;
    case 'machines':
      return <MachinesScreen />;
    case 'machine':
      return <MachineScreen key={place.machineId} machineId={place.machineId} />;
    case 'new-machine':
      return <NewMachineScreen />;
    case 'edit-machine':
      return <EditMachineScreen machineId={place.machineId} />;
    case 'terminals':
      return <TerminalsScreen terminalId={place.terminalId} />;
    case 'trainings':
      return <TrainingsScreen />;
    case 'training':
      return (
        <TrainingScreen
          key={place.trainingId}
          trainingId={place.trainingId}
          tab={place.tab}
          JobLogs={JobLogs}
        />
      );
    case 'new-training':
      return (
        <NewTrainingScreen
          machineId={place.machineId}
          from={place.from ?? null}
          trainer={place.trainer ?? null}
        />
      );
    case 'experiments':
      return <ExperimentsScreen />;
    case 'experiment':
      return <ExperimentScreen key={place.experimentId} experimentId={place.experimentId} />;
    case 'new-experiment':
      return <NewExperimentScreen preset={place.preset ?? null} />;
    case 'exhibits':
      return <ExhibitsScreen />;
    case 'exhibit':
      return <ExhibitScreen place={place} />;
    case 'reproduction':
      return <ReproductionScreen reproductionId={place.reproductionId} />;
    case 'edit-exhibit':
      return <ExhibitEditor key={place.exhibitId} source={place.exhibitId} isOwn />;
    case 'new-exhibit':
      return <ExhibitEditor key={place.from} source={place.from ?? 'template'} isOwn={false} />;
    case 'activity':
      return <ActivityScreen />;
    case 'library':
      return <LibraryScreen />;
    case 'settings':
      return <SettingsScreen />;
    case 'unknown':
      return (
        <div style={{ padding: 24 }}>
          <EmptyState title="There is nothing at this address" action={<a href="#/">Go to Home</a>}>
            {place.path}
          </EmptyState>
        </div>
      );
    default:
      return assertNever(place);
  }
}

function Waiting() {
  return (
    <div style={{ padding: '0 24px' }}>
      <LoadingState what="Opening" />
    </div>
  );
}

/** This page in a browser, without the preload script. */
export function Orphan() {
  return (
    <p style={{ padding: 24 }}>
      This page is a part of the MARS² Workbench and works only in its window. Start it with{' '}
      <code>npm start</code>.
    </p>
  );
}
