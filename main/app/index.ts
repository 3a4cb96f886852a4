/** The workbench as a whole: opens and connects its services, runs commands, emits events. */
export { connectControlSocket, controlSocketPath } from './control-socket';
export { dataFolder, privateFolder } from './folders';
export { keepFilesPrivate } from '../storage/index';
export { type Cipher, createEncryptedSecrets, takeEnvironmentSecrets } from './secrets';
export { openWorkbench, type Workbench } from './workbench';
