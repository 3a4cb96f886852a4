/** The frame around every screen: rail, status bar, palette, keys, notices, and the error boundary. */

export { MAX_NOTICES } from './notice-limit';
export { Shell } from './shell';
