import { MantineProvider } from '@mantine/core';
import { useColorScheme } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { lazy, Suspense, useEffect } from 'react';
import { useStore } from 'zustand';
import { assertNever } from '../preload/contract/assert-never';
import { ActivityScreen, HomeScreen } from './home/index';
import { JobsScreen, NewJobScreen } from './jobs/index';
import { LibraryScreen } from './library/index';
import { EditMachineScreen, MachineScreen, MachinesScreen, NewMachineScreen } from './machines/index';
import { LaunchesScreen, LaunchFormScreen, ServersScreen } from './servers/index';
import { SettingsScreen } from './settings/index';
import { MOST_NOTICES, Shell } from './shell/index';
import { type Route, StateProvider, useLogins, useRoute, type WorkbenchState } from './state/index';
import { StudiesScreen } from './studies/index';
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

/** Preloads the other screens when the window is idle, so that they open at once. */
function usePreloadedScreens(): void {
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
  usePreloadedScreens();
  // An empty page for a moment is better than a flash of the wrong theme.
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

/** The prompts of ssh, shown over every screen. */
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
  const route = useRoute();
  return <Suspense fallback={<Opening />}>{screenOf(route)}</Suspense>;
}

function screenOf(route: Route) {
  switch (route.kind) {
    case 'home':
      return <HomeScreen />;
    case 'studies':
      return <StudiesScreen />;
    case 'new-study':
      return <NewStudyScreen benchmarkId={route.benchmarkId} preset={route.preset ?? null} />;
    case 'study':
      return <StudyScreen key={route.studyId} studyId={route.studyId} check={route.check ?? null} />;
    case 'run':
      return <RunScreen key={route.runId} route={route} />;
    case 'compare':
      return <CompareScreen route={route} />;
    case 'jobs':
      return <JobsScreen jobId={route.jobId} JobLogs={JobLogs} />;
    case 'new-job':
      return <NewJobScreen machineId={route.machineId} from={route.from ?? null} />;
    case 'launches':
      return <LaunchesScreen launchId={route.launchId} />;
    case 'new-launch':
      return <LaunchFormScreen machineId={route.machineId} />;
    case 'servers':
      return <ServersScreen serverId={route.serverId} LogPane={LogPane} />;
    case 'machines':
      return <MachinesScreen />;
    case 'machine':
      return <MachineScreen key={route.machineId} machineId={route.machineId} />;
    case 'new-machine':
      return <NewMachineScreen />;
    case 'edit-machine':
      return <EditMachineScreen machineId={route.machineId} />;
    case 'terminals':
      return <TerminalsScreen terminalId={route.terminalId} />;
    case 'trainings':
      return <TrainingsScreen />;
    case 'training':
      return (
        <TrainingScreen
          key={route.trainingId}
          trainingId={route.trainingId}
          tab={route.tab}
          JobLogs={JobLogs}
        />
      );
    case 'new-training':
      return (
        <NewTrainingScreen
          machineId={route.machineId}
          from={route.from ?? null}
          trainer={route.trainer ?? null}
        />
      );
    case 'experiments':
      return <ExperimentsScreen />;
    case 'experiment':
      return <ExperimentScreen key={route.experimentId} experimentId={route.experimentId} />;
    case 'new-experiment':
      return <NewExperimentScreen preset={route.preset ?? null} />;
    case 'exhibits':
      return <ExhibitsScreen />;
    case 'exhibit':
      return <ExhibitScreen route={route} />;
    case 'reproduction':
      return <ReproductionScreen reproductionId={route.reproductionId} />;
    case 'edit-exhibit':
      return <ExhibitEditor key={route.exhibitId} source={route.exhibitId} isOwn />;
    case 'new-exhibit':
      return <ExhibitEditor key={route.from} source={route.from ?? 'template'} isOwn={false} />;
    case 'activity':
      return <ActivityScreen />;
    case 'library':
      return <LibraryScreen />;
    case 'settings':
      return <SettingsScreen />;
    case 'unknown':
      return (
        <div style={{ padding: 24 }}>
          <EmptyState title="This page does not exist" action={<a href="#/">Go to Home</a>}>
            {route.path}
          </EmptyState>
        </div>
      );
    default:
      return assertNever(route);
  }
}

function Opening() {
  return (
    <div style={{ padding: '0 24px' }}>
      <LoadingState text="Loading" />
    </div>
  );
}

/** Shown when the page is opened in a browser, without the preload script. */
export function NotInWindow() {
  return (
    <p style={{ padding: 24 }}>
      This page works only in the window of the MARS² Workbench. Start it with <code>npm start</code>.
    </p>
  );
}
