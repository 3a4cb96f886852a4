// Chromium's own sandbox needs user namespaces, or a helper that belongs to root. Some systems allow neither by
// default (Ubuntu 24.04, hardened kernels, most containers); Electron then dies with a message that helps nobody.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram, isRoot } from '../project.mjs';
import { Refusal } from './refusal.mjs';

const setuidBit = 0o4000;

export function checkChromiumSandbox(electronPath) {
  if (process.platform !== 'linux' || isRoot()) return;
  if (canMakeUserNamespace() || hasSetuidHelper(electronPath)) return;
  const helper = join(dirname(electronPath), 'chrome-sandbox');
  throw new Refusal(
    "On this system ordinary users may not make user namespaces. Chromium's own sandbox needs them, so the window cannot open.\n" +
      'Either allow them (Ubuntu 24.04 and newer; until the next boot):\n\n' +
      '  sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0\n\n' +
      "or give Chromium's helper to root:\n\n" +
      `  sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'\n\n` +
      'Then run the same command again. We do not switch the sandbox off for you.',
  );
}

/** `-r` too: AppArmor lets the namespace be made, and refuses the mapping that makes it of use. */
function canMakeUserNamespace() {
  const unshare = findProgram('unshare');
  if (!unshare) return true; // cannot tell: let Electron say
  return spawnSync(unshare, ['-Ur', 'true'], { stdio: 'ignore', timeout: 5_000 }).status === 0;
}

function hasSetuidHelper(electronPath) {
  const helper = statSync(join(dirname(electronPath), 'chrome-sandbox'), { throwIfNoEntry: false });
  return helper !== undefined && helper.uid === 0 && (helper.mode & setuidBit) !== 0;
}
