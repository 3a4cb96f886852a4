// Installs what the workbench needs, and reports what it does. Uses Node built-ins only, because it runs first.
import { checkChromiumSandbox } from './chromium-sandbox.mjs';
import { electronPath } from './electron.mjs';
import { ensurePackages } from './npm-packages.mjs';
import { createReporter } from './reporter.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { checkNode, checkPython } from './toolchain.mjs';

export { ensureBuilt } from './built-app.mjs';
export { electronLaunch } from './electron.mjs';
export { Refusal, runScript } from './refusal.mjs';
export { createReporter };

/**
 * `purposes`: which of sandbox (to grade), window (to show) and tests (a display of their own).
 * `asks`: a person is asked before system packages are installed.
 * Gives the path of the Electron executable when a window is wanted.
 */
export async function ensure(purposes, reporter = createReporter(process.stderr), { asks = false } = {}) {
  checkNode();
  checkPython();
  await ensureSystemPackages(purposes, reporter, asks);
  await ensurePackages(reporter);
  if (!purposes.includes('window')) return undefined;
  const path = await electronPath(reporter);
  checkChromiumSandbox(path);
  return path;
}
