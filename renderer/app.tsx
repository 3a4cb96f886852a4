import { MantineProvider } from '@mantine/core';
import { useColorScheme } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { HomeScreen } from './home/index';
import { LibraryScreen } from './library/index';
import type { Touched } from './new-study/index';
import { ServersScreen } from './servers/index';
import { SettingsScreen } from './settings/index';
import { MOST_NOTICES, Shell } from './shell/index';
import { assertNever, type Place, StateProvider, usePlace, type WorkbenchState } from './state/index';
import { StudiesScreen } from './studies/index';
import { mantineTheme, mantineVariables } from './theme/index';
import { EmptyState, LoadingState } from './widgets/index';

// Charts, trees, code views and terminals are large; the first screen does not wait for them.
const openStudy = () => import('./study/index');
const openNewStudy = () => import('./new-study/index');
const openRun = () => import('./run/index');
const openLogs = () => import('./logs/index');
const StudyScreen = lazy(() => openStudy().then((module) => ({ default: module.StudyScreen })));
const CompareScreen = lazy(() => openStudy().then((module) => ({ default: module.CompareScreen })));
const NewStudyScreen = lazy(() => openNewStudy().then((module) => ({ default: module.NewStudyScreen })));
const RunScreen = lazy(() => openRun().then((module) => ({ default: module.RunScreen })));
const LogPane = lazy(() => openLogs().then((module) => ({ default: module.LogPane })));

/** Once the first screen stands and nothing else is to do, the others are made ready: a press then opens at once. */
function useEagerScreens(): void {
  useEffect(() => {
    const idle = window.requestIdleCallback(
      () => void Promise.all([openStudy(), openRun(), openLogs(), openNewStudy()]),
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
      </StateProvider>
    </MantineProvider>
  );
}

function CurrentScreen() {
  const place = usePlace();
  // A half-composed study outlives a look at another screen.
  const draft = useState<Touched>({});
  return <Suspense fallback={<Waiting />}>{screenOf(place, draft)}</Suspense>;
}

function screenOf(place: Place, [touched, setTouched]: readonly [Touched, (touched: Touched) => void]) {
  switch (place.kind) {
    case 'home':
      return <HomeScreen />;
    case 'studies':
      return <StudiesScreen />;
    case 'new-study':
      return <NewStudyScreen benchmarkId={place.benchmarkId} touched={touched} onTouched={setTouched} />;
    case 'study':
      return <StudyScreen key={place.studyId} studyId={place.studyId} />;
    case 'run':
      return <RunScreen key={place.runId} place={place} />;
    case 'compare':
      return <CompareScreen studyId={place.studyId} />;
    case 'servers':
      return <ServersScreen serverId={place.serverId} LogPane={LogPane} />;
    case 'library':
      return <LibraryScreen />;
    case 'settings':
      return <SettingsScreen />;
    case 'unknown':
      return (
        <div style={{ padding: 24 }}>
          <EmptyState title="There is nothing at this address" action={<a href="#/">Go to Home</a>}>
            {place.address}
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
