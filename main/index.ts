import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { app, type BrowserWindow, dialog, ipcMain, Menu, nativeTheme, powerMonitor } from 'electron';
import type { Payload } from '../preload/contract/index';
import {
  appLog,
  dataFolder,
  dataFolderRefusal,
  handleWindowErrors,
  keepFilesPrivate,
  readWindowState,
  takeEnvironmentSecrets,
  type Workbench,
} from './app/index';
import { declareAppScheme, serveApp } from './electron/app-protocol';
import { bundleArgument } from './electron/bundle-argument';
import { followWorkbench } from './electron/follow-workbench';
import { installMenu } from './electron/menu';
import { downloadNoDictionaries, openWindow, refusePermissions } from './electron/window';
import { createWindowSession, type ShownWorkbench, type WindowSession } from './electron/window-session';

/** By then a window has its first lists, which looking at journals must not hold back. */
const LISTS_ARE_SHOWN_MS = 2_000;

const project = join(import.meta.dirname, '..', '..');

function chosenDataFolder(): string {
  // Electron's and Chromium's own switches stand among ours: unknown ones are theirs.
  const { values } = parseArgs({
    args: process.argv.slice(1),
    options: { data: { type: 'string' } },
    strict: false,
  });
  const choice = typeof values.data === 'string' ? values.data : undefined;
  if (choice === '') endBeforeStart('--data needs a folder, but its value is empty.');
  const folder = dataFolder(choice, { platform: process.platform, env: process.env, home: homedir() });
  const refusal = dataFolderRefusal(folder);
  if (refusal !== null) endBeforeStart(refusal.message, refusal.hint);
  return folder;
}

/** While nothing is written yet: Electron's own files lie in the data folder. */
function endBeforeStart(message: string, hint?: string): never {
  writeError(message, hint);
  process.exit(1);
}

function writeError(message: string, hint?: string): void {
  process.stderr.write(`${message}\n${hint ? `${hint}\n` : ''}`);
}

/** Shows why, once: what follows while the app exits is a consequence. */
function end(message: string, hint?: string): void {
  if (ending) return;
  ending = true;
  writeError(message, hint);
  const title = running === null ? 'The workbench cannot start' : 'The workbench has ended';
  dialog.showErrorBox(title, hint ? `${message}\n\n${hint}` : message);
  app.exit(1);
}

/** The folder is in use, perhaps by a command that ends soon: who tries again gets the app started anew. */
function offerAgain(message: string, hint?: string): void {
  if (ending) return;
  ending = true;
  writeError(message, hint);
  const answer = dialog.showMessageBoxSync({
    type: 'error',
    message: 'The workbench cannot start yet',
    detail: hint ? `${message}\n${hint}` : message,
    buttons: ['Try again', 'Quit'],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  if (answer === 0) app.relaunch();
  app.exit(1);
}

function fatal(message: string, hint?: string): never {
  end(message, hint);
  throw new Error(message);
}

/** The window comes first: its page starts while the workbench is opened behind it. */
async function start(): Promise<void> {
  const saved = await windowState;
  nativeTheme.themeSource = saved.theme;
  serveApp(join(project, 'out', 'renderer'));
  refusePermissions();
  downloadNoDictionaries();
  const { window, firstFrame } = openWindow({
    preload: join(project, 'out', 'preload', 'index.cjs'),
    icon: join(project, 'resources', 'icons', 'icon.png'),
    bounds: saved.bounds,
    onBounds: (bounds) => running?.saveWindowBounds(bounds),
    onFailure: (error) => log.write('error', 'window', error),
  });
  const first = openBehind(window, firstFrame, (opening) => session.show(opening));
  const session = createWindowSession(ipcMain, window, first, (shown) => {
    running = shown.workbench;
    return followWorkbench(window, shown.workbench);
  });
  const onceOpen = (run: (workbench: Workbench) => void): void =>
    session.onceOpen(({ workbench }) => run(workbench));
  installMenu({
    goTo: (path) => onceOpen((workbench) => workbench.goTo(path)),
    reportProblem: () => onceOpen((workbench) => workbench.reportProblem()),
    notify: (message) =>
      onceOpen((workbench) => workbench.events.emit({ kind: 'notice', level: 'info', message })),
    log: log.path,
    // Made with an installer.
    licences: join(project, 'LICENSES.txt'),
  });
  const show = (bundle: string | null): void => {
    if (bundle !== null) session.onceOpen(({ showBundle }) => void showBundle(bundle).catch(() => undefined));
  };
  show(bundleArgument(process.argv.slice(1), process.cwd()));
  app.on('second-instance', (_event, words, folder) => {
    show(bundleArgument(words.slice(1), folder));
    if (window.isDestroyed()) return;
    if (window.isMinimized()) window.restore();
    window.focus();
  });
  // Folders may have been moved away or back meanwhile: their studies are then shown as they are now.
  let request: Payload<'study.list'> = {};
  const lookAtStudies = (): void =>
    onceOpen((workbench) => void workbench.call('study.list', request, 'window'));
  window.on('focus', lookAtStudies);
  powerMonitor.on('resume', () => onceOpen((workbench) => workbench.wake()));
  closeBeforeQuit(window, session);
  await first;
  setTimeout(() => {
    request = { checked: true };
    lookAtStudies();
  }, LISTS_ARE_SHOWN_MS);
}

/**
 * Opens the workbench once the window has its first frame: loading the services keeps this process busy, which has to serve
 * the page's files. Rejects, after the user has read why, where the workbench cannot be opened.
 */
async function openBehind(
  window: BrowserWindow,
  firstFrame: Promise<void>,
  show: (opening: Promise<ShownWorkbench>) => void,
): Promise<ShownWorkbench> {
  await firstFrame;
  const { openForWindow } = await import('./after-window');
  const orFatal = async (opening: ReturnType<typeof openForWindow>): Promise<ShownWorkbench> => {
    const opened = await opening;
    if (opened.ok) return opened.value;
    const { code, message, hint } = opened.error;
    if (code === 'conflict') offerAgain(message, hint);
    return fatal(message, hint);
  };
  return orFatal(
    openForWindow({
      ...{ window, dataDir, project, environmentSecrets, log, version: app.getVersion() },
      onLockLost: ({ message }) => {
        log.write('error', 'data folder', message);
        end(message);
      },
      show: (opening) => show(orFatal(opening)),
    }),
  );
}

/** The window asks, where work would stand still, and stays until its workbench is closed or moved into a service. */
function closeBeforeQuit(window: BrowserWindow, session: WindowSession): void {
  let closing = false;
  /** A shutdown of the computer waits for nobody. */
  let canAsk = true;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      canAsk = false;
      app.quit();
    });
  }
  window.on('close', (event) => {
    event.preventDefault();
    app.quit();
  });
  app.on('before-quit', (event) => {
    // `app.exit` below does not ask again.
    event.preventDefault();
    if (closing) return;
    closing = true;
    session
      .current()
      .then((shown) => shown.end(canAsk))
      .then((isOver) => {
        closing = isOver;
        if (isOver) app.exit(0);
      })
      .catch((error: unknown) => {
        log.write('error', 'closing', error);
        process.stderr.write(`The workbench did not close cleanly: ${String(error)}\n`);
        app.exit(0);
      });
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
// Ours comes with the window; without this line Electron builds one of its own before.
Menu.setApplicationMenu(null);
// Read while Electron starts.
const windowState = readWindowState(join(dataDir, 'registry.json'));
// The lock lives in userData, which lies in the data folder: one app per data folder.
if (app.requestSingleInstanceLock()) {
  app
    .whenReady()
    .then(start)
    .catch((error: unknown) => {
      if (!ending) log.write('error', 'start', error);
      end(error instanceof Error ? (error.stack ?? error.message) : String(error));
    });
} else {
  process.stderr.write(`The workbench is already open on ${dataDir}; its window was brought to the front.\n`);
  app.exit(0);
}
