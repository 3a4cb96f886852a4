import { randomUUID } from 'node:crypto';
import type { WorkbenchEvent } from '../../preload/contract/index';
import { type Emitter, steadyClock } from '../base/index';
import type { NodeRuntime } from '../servers/index';
import type { Registry } from '../storage/index';
import type { AppLog } from './app-log';
import type { SecretStore } from './secrets';

/** What every service is opened with. */
export type ServiceContext = {
  readonly dataDir: string;
  /** The project's folder: built entries under out/, resources/. */
  readonly project: string;
  readonly appVersion: string;
  readonly nodeRuntime: NodeRuntime;
  readonly secrets: SecretStore;
  readonly registry: Registry;
  readonly events: Emitter<WorkbenchEvent>;
  readonly log: AppLog;
  /** For sockets of ssh; private to this user. */
  readonly controlFolder: string;
};

/** The clock of all services: one that was set back would give durations that no record may hold. */
export const clock = { now: steadyClock(Date.now, () => performance.now()) };
export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
export const newId = (): string => randomUUID();
