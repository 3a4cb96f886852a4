/** The workbench as a whole: opens and connects its services, runs commands, emits events. */
export { connectControlSocket, controlSocketPath } from './control-socket';
export { dataFolder } from './data-folder';
export { type Cipher, createEncryptedSecrets } from './encrypted-secrets';
export { privateFolder } from './private-folder';
export { environmentSecrets } from './secrets';
export { openWorkbench, type Workbench } from './workbench';
