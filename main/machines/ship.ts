import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Refusal } from '../../preload/contract';
import { failed, ok } from '../base';
import { MIN_NODE_VERSION, NODE_SCRIPT, readNodeProbe } from './logic/node-probe';
import type { AsyncResult, Machine } from './machine';

/** A file or folder of this computer, and where it belongs below the workbench's folder on a machine. */
export type Shipment = { readonly from: string; readonly to: string };

/** Digits of a digest in a file's name. */
const NAME_DIGITS = 16;

/** For the name of what is shipped: depends on the files' names and contents, in this order. */
export async function contentName(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths)
    hash
      .update(`${basename(path)}\0`)
      .update(await readFile(path))
      .update('\0');
  return hash.digest('hex').slice(0, NAME_DIGITS);
}

/** Copies what the machine does not have yet. Gives the absolute paths there, in order. */
export async function ship(machine: Machine, shipments: readonly Shipment[]): AsyncResult<readonly string[]> {
  const home = await machine.home();
  if (!home.ok) return home;
  const paths: string[] = [];
  for (const { from, to } of shipments) {
    const path = join(home.value, to);
    const uploaded = await machine.upload(from, path);
    if (!uploaded.ok) return uploaded;
    paths.push(path);
  }
  return ok(paths);
}

/** The path of a Node that runs our programs. `needing`: who needs it, e.g. "Pocket trainings need". */
export async function findNode(machine: Machine, needing: string): AsyncResult<string> {
  const probe = await machine.run(NODE_SCRIPT);
  if (!probe.ok) return probe;
  const node = readNodeProbe(probe.value.stdout);
  if (node?.isNewEnough) return ok(node.path);
  return failed(noNode(needing, machine.spec.name, node?.version ?? null));
}

function noNode(needing: string, machineName: string, version: string | null): Refusal {
  const finding = version === null ? 'Node was not found' : `it has Node ${version}`;
  return {
    code: 'unavailable',
    message: `${needing} Node ${MIN_NODE_VERSION} or newer on ${machineName}, but ${finding}.`,
    hint: 'Install it without root: conda install -c conda-forge nodejs, or unpack an archive from https://nodejs.org and put its bin folder on the PATH.',
  };
}
