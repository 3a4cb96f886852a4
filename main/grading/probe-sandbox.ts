import type { Refusal } from '../../preload/contract';
import { type LauncherOptions, openLauncher } from './open-launcher';

/** Folders for which a sandbox has started: what works is not tried twice, what fails may have been fixed. */
const proven = new Set<string>();

/** Tries one sandbox: null when candidates can be run, else why not and what to type. */
export async function probeSandbox(options: LauncherOptions): Promise<Refusal | null> {
  const key = JSON.stringify([options.resourcesDir, options.allowUnsandboxed]);
  if (proven.has(key)) return null;
  const launcher = await openLauncher(options);
  if (!launcher.ok) return launcher.error;
  await launcher.value.dispose();
  proven.add(key);
  return null;
}
