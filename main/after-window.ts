/**
 * What the window's first frame does not need: all services and schemas. The entry loads this file, and with it most of the
 * program, once the window is there.
 */
export { openForWindow } from './open-for-window';
