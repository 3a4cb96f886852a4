import { z } from 'zod';
import {
  defaultSettings,
  headlineSchema,
  hueSchema,
  LOCAL_MACHINE,
  type MachineSpec,
  machineSpecSchema,
  progressSchema,
  savedSettingsSchema,
  savedWarningSchema,
  scaleSchema,
  serverLaunchSchema,
  studySchema,
} from '../../preload/contract';

/** Version of the registry file's form. */
export const REGISTRY_VERSION = 1;

/** Where the window was, in screen pixels; null before the first close. */
const windowBoundsSchema = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  maximised: z.boolean(),
});
export type WindowBounds = z.infer<typeof windowBoundsSchema>;

/** A study and its data that the journals do not have. */
const studyRecordSchema = z.object({
  study: studySchema,
  /** What the user last requested; null: to run. If it is null and the study is not finished, it was interrupted. */
  stopped: z.enum(['paused', 'cancelled']).nullable(),
  /** Milliseconds of work so far, without pauses and restarts. */
  elapsedMs: z.number().nonnegative(),
  /** As last seen, so that lists need not open journals; null before the first start. */
  progress: progressSchema.nullable(),
  /** The early warnings as last seen; left out before the first start. */
  warnings: z.array(savedWarningSchema).optional(),
  /** A service continues with it when it starts; left out: only a person or a plan does. */
  unattended: z.literal(true).optional(),
  /** ISO date; null until all its runs are finished. */
  finishedAt: z.string().nullable(),
  /** Of its last analysis; left out: none was made since this version. */
  headline: headlineSchema.optional(),
  /** In the trash: not listed until it is restored. */
  removed: z.boolean(),
  /** The colours of its configurations (`assignHues`); left out: derived from its place in the list. */
  hues: z.array(hueSchema).optional(),
  /** Requests at once to each of its servers, at most; left out: as many as the server takes. */
  parallel: z.number().int().positive().optional(),
  /** A person's note and tags; left out: none. */
  note: z.string().optional(),
  tags: z.array(z.string()).optional(),
  /** Name of another lab's bundle that it came with; such a study is read-only. Left out: our own. */
  fromBundle: z.string().optional(),
});
export type StudyRecord = z.infer<typeof studyRecordSchema>;

/** How fast a study went on this computer, for the estimates of later ones. */
const speedSchema = z.object({
  /** ISO date. */
  at: z.string(),
  scale: scaleSchema,
  candidatesPerSecond: z.number().positive(),
});
export type Speed = z.infer<typeof speedSchema>;

const FIRST_MACHINES: readonly MachineSpec[] = [{ kind: 'local', id: LOCAL_MACHINE, name: 'This computer' }];

export const registrySchema = z.object({
  version: z.literal(REGISTRY_VERSION),
  settings: savedSettingsSchema,
  window: windowBoundsSchema.nullable(),
  studies: z.array(studyRecordSchema),
  /** Newest last. */
  speeds: z.array(speedSchema),
  /** How slow this computer grades, measured once; null or left out before the first grade. */
  calibration: z
    .object({ python: z.string(), cpuFactor: z.number().min(1) })
    .nullable()
    .default(null),
  /** The same for other machines, by their id. */
  machineCalibrations: z
    .record(z.string(), z.object({ python: z.string(), cpuFactor: z.number().min(1) }))
    .default({}),
  /** The local one first. */
  machines: z.array(machineSpecSchema).default([...FIRST_MACHINES]),
  /** Ids of machines that were connected when the app was last open. */
  connected: z.array(z.string()).default([]),
  /** Servers that studies can start by name. */
  launches: z.array(serverLaunchSchema).default([]),
});
export type RegistryData = z.infer<typeof registrySchema>;

export const emptyRegistry: RegistryData = {
  version: REGISTRY_VERSION,
  settings: defaultSettings,
  window: null,
  studies: [],
  speeds: [],
  calibration: null,
  machineCalibrations: {},
  machines: [...FIRST_MACHINES],
  connected: [],
  launches: [],
};
