import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './theme/fonts.css';
import './theme/tokens.css';
import './theme/base.css';
import './theme/mantine.css';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { App, NotInWindow } from './app';
import { logPageErrors } from './page-errors';
import { createWorkbenchState } from './state/index';
import type { WorkbenchClient } from './workbench-client';

/** Renders the app with this client in the page's #root; without a client, explains why there is none. */
export function mountWorkbench(client: WorkbenchClient | null): void {
  const host = document.getElementById('root');
  if (host === null) throw new Error('The page has no #root.');
  const root = createRoot(host);
  if (client === null) root.render(<NotInWindow />);
  else {
    const state = createWorkbenchState(client);
    logPageErrors(window, state.diagnostics.log);
    // At once, not in React's own time: then no empty frame is drawn before this one, and main shows the window with it.
    flushSync(() => root.render(<App state={state} />));
  }
}
