import { BrowserWindow, nativeTheme, screen, session, shell } from 'electron';
import type { WindowBounds } from '../storage/index';
import { APP_ORIGIN } from './app-origin';

const SMALLEST = { width: 900, height: 600 };
const FIRST = { width: 1280, height: 800 };

/** The saved bounds, unless no screen shows them any more (a monitor was unplugged). */
function usableBounds(saved: WindowBounds | null): Partial<WindowBounds> {
  if (saved === null) return FIRST;
  const visible = screen.getAllDisplays().some(({ workArea }) => {
    const overlapX =
      Math.min(saved.x + saved.width, workArea.x + workArea.width) - Math.max(saved.x, workArea.x);
    const overlapY =
      Math.min(saved.y + saved.height, workArea.y + workArea.height) - Math.max(saved.y, workArea.y);
    return overlapX > 100 && overlapY > 50;
  });
  return visible ? saved : { width: saved.width, height: saved.height };
}

/** No permission (camera, notifications, clipboard reading ...) is ever granted to a page. */
export function refusePermissions(): void {
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.defaultSession.setPermissionCheckHandler(() => false);
}

/** Left with a language, Chromium asks a server of Google's for its dictionary at each start, used or not. */
export function downloadNoDictionaries(): void {
  session.defaultSession.setSpellCheckerLanguages([]);
}

/** `firstFrame`: resolves once the page has drawn one, or will never. */
export function openWindow(options: {
  readonly preload: string;
  readonly icon: string;
  readonly bounds: WindowBounds | null;
  readonly onBounds: (bounds: WindowBounds) => void;
  /** The page could not be loaded: the window stays empty. */
  readonly onFailure: (error: unknown) => void;
}): { readonly window: BrowserWindow; readonly firstFrame: Promise<void> } {
  const bounds = usableBounds(options.bounds);
  const window = new BrowserWindow({
    ...FIRST,
    ...(bounds.x !== undefined && bounds.y !== undefined ? { x: bounds.x, y: bounds.y } : {}),
    ...(bounds.width !== undefined && bounds.height !== undefined
      ? { width: bounds.width, height: bounds.height }
      : {}),
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
    title: 'MARS² Workbench',
    show: false,
    // A page that may paint waits, before its scripts, for the process that draws. This one's run while that starts.
    paintWhenInitiallyHidden: false,
    // The first frame is already in the theme's tone: no white flash.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#16181b' : '#fbfbfa',
    webPreferences: {
      preload: options.preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      // From the first start on, not from the third.
      v8CacheOptions: 'bypassHeatCheck',
    },
  });
  if (bounds.maximised) window.maximize();
  // Its scripts have run by then: nothing is missing from its first frame.
  window.webContents.once('dom-ready', () => window.show());
  const firstFrame = drawn(window).then(() => {
    // Reading the picture would hold back the first frame. A Mac's window has none.
    if (process.platform !== 'darwin' && !window.isDestroyed()) window.setIcon(options.icon);
  });

  let timer: NodeJS.Timeout | null = null;
  const save = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => {
      if (window.isDestroyed()) return;
      options.onBounds({ ...window.getNormalBounds(), maximised: window.isMaximized() });
    }, 400);
  };
  window.on('move', save);
  window.on('resize', save);
  window.on('close', () => {
    if (timer !== null) clearTimeout(timer);
    options.onBounds({ ...window.getNormalBounds(), maximised: window.isMaximized() });
  });

  const { webContents } = window;
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  const stay = (event: Electron.Event, url: string): void => {
    if (!url.startsWith(`${APP_ORIGIN}/`)) event.preventDefault();
  };
  webContents.on('will-navigate', stay);
  webContents.on('will-redirect', stay);
  webContents.on('will-attach-webview', (event) => event.preventDefault());
  window.loadURL(`${APP_ORIGIN}/index.html`).catch((error: unknown) => {
    process.stderr.write(`The window could not load its page: ${String(error)}\n`);
    options.onFailure(error);
  });
  return { window, firstFrame };
}

/** The longest that a page that is slow or broken holds back what waits for its first frame. */
const LONGEST_WAIT_MS = 3_000;

/** The second frame begins once the first is drawn. */
const TWO_FRAMES = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

function drawn(window: BrowserWindow): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, LONGEST_WAIT_MS);
    const { webContents } = window;
    webContents.once(
      'dom-ready',
      () => void webContents.mainFrame.executeJavaScript(TWO_FRAMES).then(done, done),
    );
    window.once('closed', done);
  });
}

/** The menu may open only these two addresses in the user's browser. */
export function openPaper(arxivId: '2604.14564' | '2602.07848'): void {
  const url = `https://arxiv.org/abs/${arxivId}`;
  shell.openExternal(url).catch((error: unknown) => {
    process.stderr.write(`The browser could not open ${url}: ${String(error)}\n`);
  });
}
