import { z } from 'zod';
import {
  type OwnServerSpec,
  type ServerLaunch,
  type ServerSpec,
  serverLaunchSchema,
  serverSpecSchema,
} from '../../../preload/contract';
import { parsedJson } from '../../base';

/** Notes in a model server's job, so that a later start of the app recognises the server. */
export type LaunchNotes = {
  /** Equal for servers that would answer alike (see `serverKey` and `launchKey`). */
  readonly key: string;
  /** Study that started it; null when a person did. */
  readonly owner: string | null;
  /** The id of the server, which may outlive its job; null in old notes, where it was the job's id. */
  readonly serverId: string | null;
  readonly serves:
    | {
        readonly kind: 'own';
        readonly spec: OwnServerSpec;
        /** See `ModelFile.knownProblemId`. */
        readonly knownProblemId: string | null;
      }
    | {
        readonly kind: 'launch';
        readonly launch: ServerLaunch;
        /** From 0. */
        readonly replica: number;
        readonly port: number;
      };
};

const sharedShape = {
  key: z.string().min(1),
  owner: z.string().nullable(),
  serverId: z.string().nullable().default(null),
};
const ownNotesSchema = z.object({
  ...sharedShape,
  spec: serverSpecSchema,
  knownProblemId: z.string().nullable(),
});
const launchNotesSchema = z.object({
  ...sharedShape,
  launch: serverLaunchSchema,
  replica: z.int().nonnegative(),
  port: z.int().min(1).max(65_535),
});

export const MODEL_SERVER_PURPOSE = 'model-server';
/** In the job's folder: the host that the job runs on, which the login node cannot know. */
export const NODE_FILE = 'node.txt';
/** Writes it; for the set-up of a job, whose working folder is its own. */
export const NODE_LINE = `hostname >${NODE_FILE}`;
/** In the job's folder: written by the server when it listens. */
export const PORT_FILE = 'port.json';

/** In the job's folder: the stages of its start, once it is ready. */
export const STAGES_FILE = 'stages.json';
/** A start has six, and some for ports that were taken. */
const MAX_STAGES = 20;

const stagesSchema = z.array(z.object({ name: z.string().max(200), at: z.iso.datetime() })).max(MAX_STAGES);

export function writeStages(stages: readonly z.infer<typeof stagesSchema>[number][]): string {
  return JSON.stringify(stages);
}

/** Empty for a text that is no such file. */
export function readStages(text: string): z.infer<typeof stagesSchema> {
  const parsed = stagesSchema.safeParse(parsedJson(text));
  return parsed.success ? parsed.data : [];
}

const portFileSchema = z.object({ port: z.int().min(1).max(65_535), pid: z.int().positive() });

/** null for a text that is no port file. */
export function readPortFile(text: string): z.infer<typeof portFileSchema> | null {
  const parsed = portFileSchema.safeParse(parsedJson(text));
  return parsed.success ? parsed.data : null;
}

/** Encodes the notes as a job stores them, as texts. `owner`: for lists of jobs, which know nothing of servers. */
export function writeNotes({ key, owner, serverId, serves }: LaunchNotes): Readonly<Record<string, string>> {
  const { kind: _kind, ...fields } = serves;
  return {
    server: JSON.stringify({ key, owner, serverId, ...fields }),
    ...(owner === null ? {} : { owner }),
  };
}

/** null for a job that is no model server, or of a version that wrote other notes. */
export function readNotes(notes: Readonly<Record<string, string>>): LaunchNotes | null {
  const json = parsedJson(notes.server ?? '');
  const launched = launchNotesSchema.safeParse(json);
  if (launched.success) {
    const { key, owner, serverId, ...fields } = launched.data;
    return { key, owner, serverId, serves: { kind: 'launch', ...fields } };
  }
  const own = ownNotesSchema.safeParse(json);
  if (!own.success) return null;
  const { key, owner, serverId, spec, knownProblemId } = own.data;
  if (spec.kind === 'url' || spec.kind === 'launch') return null;
  return { key, owner, serverId, serves: { kind: 'own', spec, knownProblemId } };
}

/**
 * A key made of everything that decides how a server answers. The spec's `id` is left out: it is a name within one run,
 * and runs share servers. The digests stand for the file's content and for the program that serves it.
 */
export function serverKey(
  spec: Exclude<ServerSpec, { kind: 'launch' }>,
  fileDigest: string,
  scriptDigest: string,
): string {
  const { kind, model, maxInFlight } = spec;
  if (spec.kind === 'url') {
    return JSON.stringify([
      kind,
      model,
      maxInFlight,
      spec.baseUrl,
      ...(spec.secret === undefined ? [] : [spec.secret]),
      ...(spec.machineId === undefined ? [] : [{ machineId: spec.machineId }]),
    ]);
  }
  const machineIds = spec.machineId === undefined ? [] : [spec.machineId];
  return JSON.stringify([kind, model, maxInFlight, spec.latencyMs, fileDigest, scriptDigest, ...machineIds]);
}

/** A key made of everything that decides how a launch's servers start, without their number and their names. */
export function launchKey(launch: ServerLaunch): string {
  const { name: _name, maxInFlight: _maxInFlight, replicas: _replicas, ...deciding } = launch;
  return JSON.stringify(['launch', deciding]);
}

/** Arguments of the model server's process; its working folder is its job's. */
export function serverCommandLine(spec: OwnServerSpec, modelPath: string): readonly string[] {
  return [
    ...['--kind', spec.kind],
    ...[spec.kind === 'pocket' ? '--checkpoint' : '--recording', modelPath],
    ...['--model', spec.model],
    ...['--latency-ms', String(spec.latencyMs)],
    ...['--port', '0', '--port-file', PORT_FILE],
  ];
}

/** The owner of a server that a step of a reproduction needs; for a study it is the study's id. */
export function reproductionOwner(reproductionId: string, stepId: string): string {
  return `reproduction:${reproductionId}/${stepId}`;
}

export function isStudy(owner: string): boolean {
  return !owner.startsWith('reproduction:');
}

/** The study or step of a reproduction that started a server, by the notes of its job; null: a person, or no server. */
export function serverOwner(notes: Readonly<Record<string, string>>): string | null {
  return readNotes(notes)?.owner ?? null;
}
