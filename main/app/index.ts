/** The workbench as a whole: opens and connects its services, runs commands, emits events. */

export { keepFilesPrivate } from '../storage/index';
export { type AppLog, appLog } from './app-log';
export { connectControlSocket, controlSocketPath } from './control-socket';
export { dataFolder, privateFolder } from './folders';
export { doctorText } from './logic/doctor-text';
export { type Cipher, createEncryptedSecrets, takeEnvironmentSecrets } from './secrets';
export { handleWindowErrors } from './window-errors';
export { openWorkbench, type Workbench } from './workbench';
