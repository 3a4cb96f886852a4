import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './theme/tokens.css';
import './theme/base.css';
import { createRoot } from 'react-dom/client';
import { App, Orphan } from './app';
import { createWorkbenchState } from './state/index';
import type { WorkbenchClient } from './workbench-client';

/** Shows the app over this client in the page's #root; without a client, says why there is nothing to show. */
export function mountWorkbench(client: WorkbenchClient | null): void {
  const host = document.getElementById('root');
  if (host === null) throw new Error('The page has no #root.');
  const root = createRoot(host);
  if (client === null) root.render(<Orphan />);
  else root.render(<App state={createWorkbenchState(client)} />);
}
