/** The window's pages come from our own scheme: unlike `file:` it is a real origin, and it needs no port. */
export const APP_ORIGIN = 'workbench://app';
