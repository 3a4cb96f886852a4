/** The workbench as a whole: opens and connects its services, runs commands, emits events. */

export { dataFolderRefusal, keepFilesPrivate, readWindowState } from '../storage/index';
export { type AppLog, appLog } from './app-log';
export { checkedClient } from './control/checked-client';
export { type ControlClient, connectControl, connectControlSocket, openSocket } from './control/client';
export { controlSocketOf, controlSocketPath } from './control/server';
export type { Call } from './dispatch';
export { type Cipher, createEncryptedSecrets } from './encrypted-secrets';
export { dataFolder, privateFolder } from './folders';
export { connectService, handOver, keysForService, startNotices } from './hand-over';
export { doctorText } from './logic/doctor-text';
export { type OwnVersion, otherVersionText, versionGap } from './logic/other-version';
export { ownNodeRuntime } from './node-runtime';
export { programVersion } from './program-version';
export { workbenchOfService } from './remote-workbench';
export { type SecretStore, takeEnvironmentSecrets } from './secrets';
export { folderState, restartService, startService, stopService } from './service/manage-service';
export { type Registration, registrationOf } from './service/registration';
export { createServiceKeys } from './service/service-keys';
export { limitServiceLog } from './service/service-output';
export { type ServiceProgram, serviceLog, serviceProgram } from './service/start-files';
export {
  callThrough,
  connectMachineService,
  eventsThrough,
  upgradeOn,
  workbenchThrough,
} from './service/through-machine';
export { waitForDataFolder } from './wait-for-folder';
export { handleWindowErrors } from './window-errors';
export { openWorkbench, type Workbench } from './workbench';
