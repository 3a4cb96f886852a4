import { type ReactNode, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useWorkbench } from '../state/index';
import { KeysOverlay } from './keys-overlay';
import { useNavigationKeys } from './navigation-keys';
import { useNoticePopups } from './notice-popups';
import { Palette } from './palette';
import { ProblemReportDialog } from './problem-report';
import { Rail } from './rail';
import { RouteAnnouncer } from './route-announcer';
import { ScreenBoundary } from './screen-boundary';
import styles from './shell.module.css';
import { StatusBar } from './status-bar';
import { Tour } from './tour';

export function Shell(props: { readonly children: ReactNode }) {
  const { location, diagnostics } = useWorkbench();
  const path = useStore(location.store, (state) => state.path);
  const kind = useStore(location.store, ({ route }) => route.kind);
  const content = useRef<HTMLElement>(null);
  const [keysShown, setKeysShown] = useState(false);
  const [tourRequested, setTourRequested] = useState(false);
  useNavigationKeys(location, () => setKeysShown((shown) => !shown));
  useNoticePopups();
  return (
    <div className={styles.shell}>
      <button type="button" className={styles.skip} onClick={() => content.current?.focus()}>
        Skip to the content
      </button>
      <Rail />
      <main ref={content} className={styles.content} tabIndex={-1}>
        <ScreenBoundary path={path} onCrash={diagnostics.log} onReport={diagnostics.open}>
          {props.children}
        </ScreenBoundary>
      </main>
      <StatusBar />
      <RouteAnnouncer path={path} isRun={kind === 'run'} />
      <Palette onShowKeys={() => setKeysShown(true)} onShowTour={() => setTourRequested(true)} />
      <Tour isRequested={tourRequested} onEnd={() => setTourRequested(false)} />
      <ProblemReportDialog />
      <KeysOverlay opened={keysShown} onClose={() => setKeysShown(false)} />
    </div>
  );
}
