/** What stands around every screen: rail, status bar, palette, keys, notices, and the net under a broken screen. */

export { MAX_NOTICES } from './notice-limit';
export { Shell } from './shell';
