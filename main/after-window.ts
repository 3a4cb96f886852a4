/**
 * What the window's first frame does not need: all services and schemas. The entry loads this file, and with it most of the
 * program, once the window is there.
 */
export { createEncryptedSecrets, openWorkbench } from './app/index';
export { openBundle } from './electron/open-bundle';
export { systemCipher } from './electron/system-cipher';
export { createWindowCommands } from './electron/window-commands';
