/** What stands around every screen: rail, status bar, palette, keys, notices, and the net under a broken screen. */
export { Shell } from './shell';
export { MOST_NOTICES } from './standing-notices';
