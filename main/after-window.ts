/**
 * All services and schemas, which the window's first frame does not need. The entry loads this file, and with it most
 * of the program, once the window is open.
 */
import type { Answer } from '../preload/contract/index';
import { waitForDataFolder } from './app/index';
import type { ShownWorkbench } from './electron/window-session';
import * as forWindow from './open-for-window';

/** Most commands in a terminal that have the data folder open have ended by then; one that works for hours is named. */
const COMMAND_MS = 10_000;

/** Opens the data folder for the window that has just appeared; waits for a short command that has it open. */
export function openForWindow(options: forWindow.WindowOptions): Promise<Answer<ShownWorkbench>> {
  return waitForDataFolder(() => forWindow.openForWindow(options), COMMAND_MS);
}
