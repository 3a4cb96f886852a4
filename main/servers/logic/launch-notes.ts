import { z } from 'zod';
import { type ServerSpec, serverSpecSchema } from '../../../preload/contract';

/** What a model server's job carries, so that a later start of the app knows it again. */
export type LaunchNotes = {
  /** Equal for servers that would answer alike (see `serverKey`). */
  readonly key: string;
  readonly spec: ServerSpec;
  /** Study that started it; null when a person did. */
  readonly owner: string | null;
  /** See `ModelFile.knownProblemId`. */
  readonly knownProblemId: string | null;
};

const notesSchema = z.object({
  key: z.string().min(1),
  spec: serverSpecSchema,
  owner: z.string().nullable(),
  knownProblemId: z.string().nullable(),
});

export const MODEL_SERVER_PURPOSE = 'model-server';
/** In the job's folder: written by the server when it listens. */
export const PORT_FILE = 'port.json';

const portFileSchema = z.object({ port: z.int().min(1).max(65_535), pid: z.int().positive() });

/** null for a text that is no port file. */
export function readPortFile(text: string): z.infer<typeof portFileSchema> | null {
  const parsed = portFileSchema.safeParse(readJson(text));
  return parsed.success ? parsed.data : null;
}

/** As a job's notes, which are texts. */
export function writeNotes(notes: LaunchNotes): Readonly<Record<string, string>> {
  return { server: JSON.stringify(notes) };
}

/** null for a job that is no model server, or of a version that wrote other notes. */
export function readNotes(notes: Readonly<Record<string, string>>): LaunchNotes | null {
  const parsed = notesSchema.safeParse(readJson(notes.server ?? ''));
  return parsed.success ? parsed.data : null;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Names everything that decides how a server answers. The spec's `id` is left out: it is a name within one run,
 * and runs share servers. The digests stand for the file's content and for the program that serves it.
 */
export function serverKey(spec: ServerSpec, fileDigest: string, scriptDigest: string): string {
  const { kind, model, maxInFlight } = spec;
  return spec.kind === 'url'
    ? JSON.stringify([kind, model, maxInFlight, spec.baseUrl])
    : JSON.stringify([kind, model, maxInFlight, spec.latencyMs, fileDigest, scriptDigest]);
}

/** Arguments of the model server's process; its working folder is its job's. */
export function serverCommandLine(
  spec: Exclude<ServerSpec, { kind: 'url' }>,
  modelPath: string,
): readonly string[] {
  return [
    ...['--kind', spec.kind],
    ...[spec.kind === 'pocket' ? '--checkpoint' : '--recording', modelPath],
    ...['--model', spec.model],
    ...['--latency-ms', String(spec.latencyMs)],
    ...['--port', '0', '--port-file', PORT_FILE],
  ];
}
