/** The workbench put together: its services opened and wired, its commands dispatched, its events given out. */
export { connectControlSocket, controlSocketPath } from './control-socket';
export { dataFolder } from './data-folder';
export { type Cipher, createKeptSecrets } from './encrypted-secrets';
export { privateFolder } from './private-folder';
export { environmentSecrets } from './secrets';
export { openWorkbench, type Workbench } from './workbench';
