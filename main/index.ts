import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { app, type BrowserWindow, dialog, nativeTheme, powerMonitor } from 'electron';
import {
  appLog,
  createEncryptedSecrets,
  dataFolder,
  handleWindowErrors,
  keepFilesPrivate,
  openWorkbench,
  takeEnvironmentSecrets,
  type Workbench,
} from './app/index';
import { declareAppScheme, serveApp } from './electron/app-protocol';
import { showDesktopNotices } from './electron/desktop-notices';
import { connectWindow } from './electron/ipc';
import { installMenu } from './electron/menu';
import { systemCipher } from './electron/system-cipher';
import { openWindow, refusePermissions } from './electron/window';
import { createWindowCommands } from './electron/window-commands';

const project = join(import.meta.dirname, '..', '..');

function chosenDataFolder(): string {
  // Electron's and Chromium's own switches stand among ours: unknown ones are theirs.
  const { values } = parseArgs({
    args: process.argv.slice(1),
    options: { data: { type: 'string' } },
    strict: false,
  });
  const choice = typeof values.data === 'string' ? values.data : undefined;
  return dataFolder(choice, { platform: process.platform, env: process.env, home: homedir() });
}

/** Shows why, once: what follows while the app exits is a consequence. */
function end(message: string, hint?: string): void {
  if (ending) return;
  ending = true;
  process.stderr.write(`${message}\n${hint ? `${hint}\n` : ''}`);
  const title = running === null ? 'The workbench cannot start' : 'The workbench has ended';
  dialog.showErrorBox(title, hint ? `${message}\n\n${hint}` : message);
  app.exit(1);
}

function fatal(message: string, hint?: string): never {
  end(message, hint);
  throw new Error(message);
}

async function start(dataDir: string): Promise<void> {
  const opened = await openWorkbench({
    dataDir,
    project,
    appVersion: app.getVersion(),
    nodeRuntime: { command: process.execPath, env: { ELECTRON_RUN_AS_NODE: '1' } },
    reconnects: true,
    onLockLost: ({ message }) => {
      log.write('error', 'data folder', message);
      end(message);
    },
    secrets: createEncryptedSecrets(join(dataDir, 'keys.json'), systemCipher, environmentSecrets),
  });
  if (!opened.ok) return fatal(opened.error.message, opened.error.hint);
  const workbench: Workbench = opened.value;
  running = workbench;
  nativeTheme.themeSource = workbench.settings().theme;
  workbench.events.on((event) => {
    if (event.kind === 'settings-changed') nativeTheme.themeSource = event.settings.theme;
  });

  serveApp(join(project, 'out', 'renderer'));
  refusePermissions();
  const window: BrowserWindow = openWindow({
    preload: join(project, 'out', 'preload', 'index.cjs'),
    icon: join(project, 'resources', 'icons', 'icon.png'),
    bounds: workbench.windowBounds(),
    onBounds: (bounds) => workbench.saveWindowBounds(bounds),
    onFailure: (error) => log.write('error', 'window', error),
  });
  const connection = connectWindow(window, workbench, createWindowCommands(window, workbench));
  const notices = showDesktopNotices(window, workbench);
  powerMonitor.on('resume', () => workbench.wake());
  installMenu(window, {
    goTo: workbench.goTo,
    reportProblem: workbench.reportProblem,
    notify: (message) => workbench.events.emit({ kind: 'notice', level: 'info', message }),
    log: log.path,
  });
  app.on('second-instance', () => {
    if (window.isMinimized()) window.restore();
    window.focus();
  });

  let closing = false;
  window.on('closed', () => {
    connection.dispose();
    notices.dispose();
    app.quit();
  });
  app.on('before-quit', (event) => {
    // Every time: closing the window and closing the last window both ask to quit, and the second must not interrupt the
    // first. `app.exit` below does not ask again.
    event.preventDefault();
    if (closing) return;
    closing = true;
    // Flushes journals, leaves studies to be resumed, stops the servers of paused studies.
    workbench
      .close()
      .catch((error: unknown) => {
        log.write('error', 'closing', error);
        process.stderr.write(`The workbench did not close cleanly: ${String(error)}\n`);
      })
      .finally(() => app.exit(0));
  });
}

// Before anything is written or started.
keepFilesPrivate();
const environmentSecrets = takeEnvironmentSecrets(process.env);
const dataDir = chosenDataFolder();
const log = appLog(dataDir);
let running: Workbench | null = null;
let ending = false;
handleWindowErrors({
  source: process,
  log,
  notify: (message) => {
    running?.events.emit({ kind: 'notice', level: 'error', message, isBug: true });
    return running !== null;
  },
  end,
});
// The terminal that the app was started from may be gone: the log has what is written there, too.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);
app.setName('MARS² Workbench');
// The name is part of the user agent, and a header must not contain a superscript two.
app.userAgentFallback = `mars2-workbench/${app.getVersion()}`;
app.setPath('userData', join(dataDir, 'electron'));
declareAppScheme();
// The lock lives in userData, which lies in the data folder: one app per data folder.
if (app.requestSingleInstanceLock()) {
  app
    .whenReady()
    .then(() => start(dataDir))
    .catch((error: unknown) => {
      if (!ending) log.write('error', 'start', error);
      end(error instanceof Error ? (error.stack ?? error.message) : String(error));
    });
} else {
  process.stderr.write(`The workbench is already open on ${dataDir}; its window was brought to the front.\n`);
  app.exit(0);
}
