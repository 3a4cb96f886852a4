import { extname } from 'node:path';
import type { OwnServerSpec, Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { JobSpec } from '../jobs';
import type { Machine } from '../machines';
import {
  MODEL_SERVER_PURPOSE,
  NODE_FILE,
  NODE_LINE,
  PORT_FILE,
  serverCommandLine,
  writeNotes,
} from './logic/launch-notes';
import { LEAST_NODE, NODE_SCRIPT, readNodeProbe } from './logic/node-probe';
import type { ModelFile } from './model-file';
import type { Program, ServerJob } from './program';

/** A program that runs the model server's script: `node`, or Electron's binary with ELECTRON_RUN_AS_NODE=1. */
export type NodeRuntime = { readonly command: string; readonly env: Readonly<Record<string, string>> };

/** A file of this computer, with its SHA-256 (hex). */
export type KnownFile = { readonly path: string; readonly digest: string };

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
    freshFiles: [PORT_FILE, NODE_FILE],
    notes: { ...writeNotes(notes) },
  };
  return ok({ spec: jobSpec, notes });
}

async function runnableRemotely(
  machine: Machine,
  file: ModelFile,
  script: KnownFile,
): Promise<Result<Runnable, Refusal>> {
  const probe = await machine.run(NODE_SCRIPT);
  if (!probe.ok) return probe;
  const node = readNodeProbe(probe.value.stdout);
  if (node === null || !node.isNewEnough) return failed(noNode(machine.spec.name, node?.version ?? null));
  const home = await machine.home();
  if (!home.ok) return home;
  // Node takes a module's format from its name where no package.json is next to it.
  const remoteScript = `${home.value}/tools/model-server-${script.digest.slice(0, NAME_DIGITS)}.mjs`;
  const remoteModel = `${home.value}/models/${file.digest.slice(0, NAME_DIGITS)}${extname(file.path)}`;
  for (const [from, to] of [
    [script.path, remoteScript],
    [file.path, remoteModel],
  ] as const) {
    const uploaded = await machine.upload(from, to);
    if (!uploaded.ok) return uploaded;
  }
  return ok({ node: node.path, env: {}, script: remoteScript, model: remoteModel });
}

function noNode(machineName: string, version: string | null): Refusal {
  const what = version === null ? 'Node was not found' : `it has Node ${version}`;
  return {
    code: 'unavailable',
    message: `Pocket and recorded servers need Node ${LEAST_NODE} or newer on ${machineName}, but ${what}.`,
    hint: 'Install it without root: conda install -c conda-forge nodejs, or unpack an archive from https://nodejs.org and put its bin folder on the PATH.',
  };
}
