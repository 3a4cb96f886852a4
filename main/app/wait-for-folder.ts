import { setTimeout as pause } from 'node:timers/promises';
import type { Result } from '../base/index';
import type { LockRefusal } from '../storage/index';

const AGAIN_MS = 100;

/**
 * Opens a data folder, again and again for `forMs` milliseconds while another process of this computer has it locked: a
 * workbench that opens does not answer yet, one that closes does not answer any more, and neither takes long.
 */
export async function waitForDataFolder<T, E extends LockRefusal>(
  open: () => Promise<Result<T, E>>,
  forMs: number,
): Promise<Result<T, E>> {
  const until = performance.now() + forMs;
  for (;;) {
    const opened = await open();
    if (opened.ok || opened.error.isHeldHere !== true || performance.now() >= until) return opened;
    await pause(AGAIN_MS);
  }
}
