import { extname } from 'node:path';
import type { OwnServerSpec, Refusal } from '../../preload/contract';
import { ok, type Result } from '../base';
import type { JobSpec } from '../jobs';
import { findNode, type Machine, ship } from '../machines';
import {
  MODEL_SERVER_PURPOSE,
  NODE_FILE,
  NODE_LINE,
  PORT_FILE,
  STAGES_FILE,
  serverCommandLine,
  writeNotes,
} from './logic/launch-notes';
import type { ModelFile } from './model-file';
import type { Program, ServerJob } from './program';

/** A program that runs the model server's script: `node`, or Electron's binary with ELECTRON_RUN_AS_NODE=1. */
export type NodeRuntime = { readonly command: string; readonly env: Readonly<Record<string, string>> };

/** A file of this computer, with its SHA-256 (hex). */
export type KnownFile = { readonly path: string; readonly digest: string };

/** A pocket or recorded server, and what it answers from. */
export type OwnServerRequest = {
  readonly spec: OwnServerSpec;
  readonly file: ModelFile;
  readonly script: KnownFile;
  /** See `serverKey`. */
  readonly key: string;
};

/** Digits of a file's digest used in names. */
const NAME_DIGITS = 16;

type Runnable = {
  readonly node: string;
  readonly env: Readonly<Record<string, string>>;
  readonly script: string;
  readonly model: string;
};

/** The job that serves a checkpoint or recording. Script and file are first copied to another machine. */
export async function ownServerJob(parts: {
  readonly machine: Machine;
  readonly spec: OwnServerSpec;
  readonly file: ModelFile;
  readonly script: KnownFile;
  readonly nodeRuntime: NodeRuntime;
  readonly key: string;
  readonly owner: string | null;
  readonly serverId: string;
}): Promise<Result<ServerJob, Refusal>> {
  const { machine, spec, file, key, owner, serverId } = parts;
  const runnable =
    machine.spec.kind === 'local'
      ? ok<Runnable>({
          node: parts.nodeRuntime.command,
          env: parts.nodeRuntime.env,
          script: parts.script.path,
          model: file.path,
        })
      : await runnableRemotely(machine, file, parts.script);
  if (!runnable.ok) return runnable;
  const { node, env, script, model } = runnable.value;
  const notes: Program['notes'] = {
    key,
    owner,
    serverId,
    serves: { kind: 'own', spec, knownProblemId: file.knownProblemId },
  };
  const jobSpec: JobSpec = {
    machineId: machine.id,
    name: spec.model,
    purpose: MODEL_SERVER_PURPOSE,
    command: { kind: 'program', program: node, args: [script, ...serverCommandLine(spec, model)] },
    env: { ...env },
    setUp: machine.spec.kind === 'slurm' ? NODE_LINE : '',
    freshFiles: [PORT_FILE, NODE_FILE, STAGES_FILE],
    notes: { ...writeNotes(notes) },
  };
  return ok({ spec: jobSpec, notes });
}

async function runnableRemotely(
  machine: Machine,
  file: ModelFile,
  script: KnownFile,
): Promise<Result<Runnable, Refusal>> {
  const node = await findNode(machine, 'Pocket and recorded servers need');
  if (!node.ok) return node;
  const shipped = await ship(machine, [
    // Node takes a module's format from its name where no package.json is next to it.
    { from: script.path, to: `tools/model-server-${script.digest.slice(0, NAME_DIGITS)}.mjs` },
    { from: file.path, to: `models/${file.digest.slice(0, NAME_DIGITS)}${extname(file.path)}` },
  ]);
  if (!shipped.ok) return shipped;
  const [remoteScript, remoteModel] = shipped.value as [string, string];
  return ok({ node: node.value, env: {}, script: remoteScript, model: remoteModel });
}
