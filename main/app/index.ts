/** The workbench as a whole: opens and connects its services, runs commands, emits events. */

export { keepFilesPrivate, readSavedLook } from '../storage/index';
export { type AppLog, appLog } from './app-log';
export { connectControlSocket, controlSocketPath } from './control-socket';
export { type Cipher, createEncryptedSecrets } from './encrypted-secrets';
export { dataFolder, privateFolder } from './folders';
export { doctorText } from './logic/doctor-text';
export { ownNodeRuntime } from './node-runtime';
export { takeEnvironmentSecrets } from './secrets';
export { handleWindowErrors } from './window-errors';
export { openWorkbench, type Workbench } from './workbench';
