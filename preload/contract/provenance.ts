import { z } from 'zod';

/** Bytes of a diff that are stored; the rest is cut off at a line, and that is said. */
export const MAX_DIFF_BYTES = 262_144;

/** Output of a machine, cut to a reasonable length. */
const word = z.string().max(1_000);
const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** The working folder of the code, where it is one of git's. */
export const codeStateSchema = z.object({
  /** The top of the working tree. */
  folder: word,
  /** null: nothing is committed yet. */
  commit: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/)
    .nullable(),
  branch: word.nullable(),
  /** Address of `origin`, without a password. */
  remote: word.nullable(),
  /**
   * Changes against the commit, and text of new source files; without files that hold keys by their name, secrets hidden.
   * Empty: none.
   */
  diff: z.string().max(2 * MAX_DIFF_BYTES),
  /** Bytes of the whole diff before it was cut and its secrets were hidden. */
  diffBytes: z.int().nonnegative(),
  /** SHA-256 of that; null: not computed. */
  diffDigest: digest.nullable(),
  isCut: z.boolean(),
  /** New files that git does not ignore, at most 1000. */
  untracked: z.array(word).max(1_000),
  /** Changed files that the diff leaves out, since their names say that they hold keys. */
  leftOut: z.array(word).max(1_000),
});
export type CodeState = z.infer<typeof codeStateSchema>;

export const weightsFileSchema = z.object({
  name: word,
  bytes: z.int().nonnegative(),
  /** ISO date of its last change; null: not reported. */
  changedAt: z.string().max(40).nullable(),
  /** SHA-256; null: too large to read at the start. */
  digest: digest.nullable(),
});

/** One model that the command names. */
export const weightsStateSchema = z.object({
  /** As the command names it: a folder, a file, or a name at the hub. */
  name: word,
  /** Where it was found; null: nowhere yet, e.g. a model that the start downloads. */
  path: word.nullable(),
  /** Commit at the hub. */
  revision: word.nullable(),
  /** The files that an engine loads, at most 60. */
  files: z.array(weightsFileSchema).max(60),
});
export type WeightsState = z.infer<typeof weightsStateSchema>;

/** What made one start of a job, collected on the machine where it ran. null: not there, or not reported. */
export const provenanceSchema = z.object({
  /** Version of the workbench that started it. */
  workbench: z.string().max(60),
  /** Which start of the job, from 1. */
  attempt: z.int().positive(),
  /** ISO date by the clock of the machine. */
  at: z.string().max(40).nullable(),
  host: word.nullable(),
  /** e.g. "Linux 6.1.0 x86_64" */
  system: word.nullable(),
  /** Job id and node of a Slurm job. */
  slurm: z.object({ jobId: word, node: word }).nullable(),
  code: codeStateSchema.nullable(),
  python: z
    .object({
      executable: word,
      version: word,
      /** "name==version", as `pip freeze`, sorted; with the commit of what was installed from a repository. */
      packages: z.array(word).max(3_000),
    })
    .nullable(),
  /** Versions that engines without Python packages report, e.g. "llama-server: version: 4568 (a4417ddd)". */
  engines: z.array(word).max(10),
  gpu: z
    .object({
      driver: word.nullable(),
      /** The newest CUDA that the driver supports. */
      cuda: word.nullable(),
      /** Names of those that the job may use. */
      names: z.array(word).max(256),
    })
    .nullable(),
  weights: z.array(weightsStateSchema).max(10),
  /** Container images: where they are, and their digest where it is known. */
  images: z.array(z.object({ name: word, digest: word.nullable() })).max(10),
  /** What could not be read and why, in sentences. */
  problems: z.array(z.string().max(2_000)).max(50),
});
export type Provenance = z.infer<typeof provenanceSchema>;

/** A server that a study asked, or a training behind a reproduction. */
export const originSchema = z.object({
  /** ISO date at which it was first used. */
  at: z.string().max(40),
  /** Version of the workbench that searched with it. */
  workbench: z.string().max(60),
  /** The model's name for requests, or the training's name. */
  name: word,
  /** An external server's address; null: a job of ours. */
  address: word.nullable(),
  machineId: word.nullable(),
  jobId: word.nullable(),
  /** null: not recorded, as of every external server. */
  provenance: provenanceSchema.nullable(),
});
export type Origin = z.infer<typeof originSchema>;
