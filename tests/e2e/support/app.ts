import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';

export const project = join(import.meta.dirname, '..', '..', '..');

// Each worker has a display of its own, for its windows' focus and clipboard.
const displays = JSON.parse(process.env.MARS2_TEST_DISPLAYS ?? '[]') as Record<string, string>[];
Object.assign(process.env, displays[Number(process.env.TEST_PARALLEL_INDEX)]);

export type App = {
  readonly electron: ElectronApplication;
  /** Runs a function in Electron's main process; it may run twice. */
  readonly inMain: ElectronApplication['evaluate'];
  readonly page: Page;
  /** What the page said on its console as errors or warnings, and what it threw. */
  readonly complaints: readonly string[];
  readonly close: () => Promise<void>;
  /** As a power cut would: no handler of the app runs. */
  readonly kill: () => Promise<void>;
};

export function electronArguments(dataDir: string): string[] {
  // Only root runs without Chromium's sandbox; `npm start` does the same.
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  // Nothing to wait for where nothing is animated; a test looks at that by itself.
  return [...root, '--force-prefers-reduced-motion', project, '--data', dataDir];
}

export function electronPath(): string {
  const path = process.env.MARS2_ELECTRON;
  if (!path) throw new Error('MARS2_ELECTRON is not set: run the tests with "npm test -- e2e"');
  return path;
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

/**
 * The inspector holds the promise of an answer weakly: when V8 collects it at the wrong moment, the answer is lost,
 * although the function ran. That is no error of the app, so the function runs again.
 */
function inMainOf(electron: ElectronApplication): ElectronApplication['evaluate'] {
  const ask = async (run: never, payload: never) => {
    for (;;) {
      try {
        return await electron.evaluate(run, payload);
      } catch (error) {
        if (!String(error).includes('promise was garbage collected')) throw error;
      }
    }
  };
  return ask as ElectronApplication['evaluate'];
}

export async function launchApp(dataDir: string, env?: Readonly<Record<string, string>>): Promise<App> {
  const electron = await _electron.launch({
    executablePath: electronPath(),
    args: electronArguments(dataDir),
    ...(env === undefined ? {} : { env: { ...definedOnly(process.env), ...env } }),
    // Playwright switches Chromium's sandbox off by default; ordinary users keep it.
    chromiumSandbox: process.getuid?.() !== 0,
    timeout: 60_000,
  });
  const page = await electron.firstWindow();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.waitForLoadState('domcontentloaded');
  // A window that is closed while something runs asks what becomes of it.
  await inMainOf(electron)(({ dialog }) => {
    dialog.showMessageBox = (() => Promise.resolve({ response: 1, checkboxChecked: false })) as never;
  });
  return {
    electron,
    inMain: inMainOf(electron),
    page,
    complaints,
    close: () => electron.close(),
    kill: async () => {
      const child = electron.process();
      const gone = new Promise((done) => child.once('exit', done));
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** The dialogs are the system's: what a person would choose in the next ones is given here. */
export function chooseInDialogs(app: App, path: string): Promise<void> {
  return app.inMain(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [filePath] });
  }, path);
}

/** A data folder of one test, with a space in its name, as users have them. */
export async function temporaryData(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'mars2 e2e '));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}
