import { MantineProvider } from '@mantine/core';
import { useColorScheme } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { Suspense, useEffect } from 'react';
import { useStore } from 'zustand';
import { assertNever } from '../preload/contract/assert-never';
import { HomeScreen } from './home/index';
import { MAX_NOTICES, Shell } from './shell/index';
import {
  parsePath,
  type Route,
  StateProvider,
  useLogins,
  useRoute,
  type WorkbenchState,
} from './state/index';
import { mantineTheme, mantineVariables } from './theme/index';
import { EmptyState, LoadingState, lazyPart, loadLinkedScreens, Screen } from './widgets/index';

// The first frame waits for Home alone. The other screens, with charts, trees, code views and terminals, would take a tenth of
// the memory of all: each is loaded when somebody comes near a link to it.
const activity = () => import('./home/activity-screen');
const studies = () => import('./studies/index');
const study = () => import('./study/index');
const newStudy = () => import('./new-study/index');
const run = () => import('./run/index');
const compare = () => import('./compare/index');
const jobs = () => import('./jobs/index');
const logs = () => import('./logs/index');
const library = () => import('./library/index');
const machines = () => import('./machines/index');
const servers = () => import('./servers/index');
const settings = () => import('./settings/index');
const training = () => import('./training/index');
const newTraining = () => import('./new-training/index');
const experiments = () => import('./experiments/index');
const exhibits = () => import('./exhibits/index');
const terminals = () => import('./terminals/index');

const ActivityScreen = lazyPart(activity, (module) => module.ActivityScreen);
const StudiesScreen = lazyPart(studies, (module) => module.StudiesScreen);
const StudyScreen = lazyPart(study, (module) => module.StudyScreen);
const NewStudyScreen = lazyPart(newStudy, (module) => module.NewStudyScreen);
const RunScreen = lazyPart(run, (module) => module.RunScreen);
const CompareScreen = lazyPart(compare, (module) => module.CompareScreen);
const JobsScreen = lazyPart(jobs, (module) => module.JobsScreen);
const NewJobScreen = lazyPart(jobs, (module) => module.NewJobScreen);
const JobLogs = lazyPart(logs, (module) => module.JobLogs);
const LogPane = lazyPart(logs, (module) => module.LogPane);
const LibraryScreen = lazyPart(library, (module) => module.LibraryScreen);
const BenchmarkScreen = lazyPart(library, (module) => module.BenchmarkScreen);
const MachinesScreen = lazyPart(machines, (module) => module.MachinesScreen);
const UsageScreen = lazyPart(machines, (module) => module.UsageScreen);
const MachineScreen = lazyPart(machines, (module) => module.MachineScreen);
const NewMachineScreen = lazyPart(machines, (module) => module.NewMachineScreen);
const EditMachineScreen = lazyPart(machines, (module) => module.EditMachineScreen);
const ServersScreen = lazyPart(servers, (module) => module.ServersScreen);
const LaunchesScreen = lazyPart(servers, (module) => module.LaunchesScreen);
const LaunchFormScreen = lazyPart(servers, (module) => module.LaunchFormScreen);
const SettingsScreen = lazyPart(settings, (module) => module.SettingsScreen);
const TrainingsScreen = lazyPart(training, (module) => module.TrainingsScreen);
const TrainingScreen = lazyPart(training, (module) => module.TrainingScreen);
const NewTrainingScreen = lazyPart(newTraining, (module) => module.NewTrainingScreen);
const ExperimentsScreen = lazyPart(experiments, (module) => module.ExperimentsScreen);
const ExperimentScreen = lazyPart(experiments, (module) => module.ExperimentScreen);
const NewExperimentScreen = lazyPart(experiments, (module) => module.NewExperimentScreen);
const ExhibitsScreen = lazyPart(exhibits, (module) => module.ExhibitsScreen);
const ExhibitScreen = lazyPart(exhibits, (module) => module.ExhibitScreen);
const ReproductionScreen = lazyPart(exhibits, (module) => module.ReproductionScreen);
const ExhibitEditor = lazyPart(exhibits, (module) => module.ExhibitEditor);
const TerminalsScreen = lazyPart(terminals, (module) => module.TerminalsScreen);
const LoginPane = lazyPart(terminals, (module) => module.LoginPane);

export function App(props: { readonly state: WorkbenchState }) {
  const system = useColorScheme('light', { getInitialValueInEffect: false });
  const chosen = useStore(props.state.settings.store);
  useEffect(() => loadLinkedScreens(document, (path) => screenOf(parsePath(path))), []);
  // Until the settings are there, the system's scheme is the right one: main has set it to the chosen theme.
  const theme = chosen.kind === 'ready' ? chosen.value.theme : 'system';
  return (
    <MantineProvider
      theme={mantineTheme}
      cssVariablesResolver={mantineVariables}
      forceColorScheme={theme === 'system' ? system : theme}
    >
      <Notifications position="bottom-right" limit={MAX_NOTICES} />
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
      return (
        <NewStudyScreen
          benchmarkId={route.benchmarkId}
          preset={route.preset ?? null}
          from={route.from ?? null}
        />
      );
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
      return <LaunchFormScreen machineId={route.machineId} from={route.from ?? null} />;
    case 'servers':
      return <ServersScreen serverId={route.serverId} LogPane={LogPane} />;
    case 'machines':
      return <MachinesScreen />;
    case 'usage':
      return <UsageScreen month={route.month} by={route.by} />;
    case 'machine':
      return <MachineScreen key={route.machineId} machineId={route.machineId} LogPane={LogPane} />;
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
          LogPane={LogPane}
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
      return <ExperimentScreen key={route.experimentId} {...route} />;
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
    case 'benchmark':
      return (
        <BenchmarkScreen
          key={route.benchmarkId}
          benchmarkId={route.benchmarkId}
          problemId={route.problemId}
        />
      );
    case 'settings':
      return <SettingsScreen />;
    case 'unknown':
      return (
        <Screen title="This page does not exist">
          <EmptyState title="Nothing has this address" action={<a href="#/">Go to Home</a>}>
            {route.path}
          </EmptyState>
        </Screen>
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
