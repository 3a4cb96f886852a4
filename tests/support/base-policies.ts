import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import {
  type Checkpoint,
  type Family,
  loadPolicy,
  type PocketPolicy,
  parseCheckpoint,
} from '../../main/pocket';
import { basePolicyFile } from '../../main/pocket/base-policy';
import { buildScript } from './bundled-script';
import { oncePerRun } from './once-per-run';
import { unwrap } from './unwrap';

const run = promisify(execFile);

/**
 * The file of a base policy. To pre-train one takes seconds, and the same program comes to the same bytes everywhere
 * (tests/main/pocket/base-policies.test.ts holds that), so they are kept until the program changes.
 */
export async function basePolicyPath(family: Family, seed = 1): Promise<string> {
  const script = await buildScript(resolve('main/studies/pretrain-pocket.ts'));
  const program = createHash('sha256')
    .update(await readFile(script))
    .update(process.version)
    .digest('hex');
  const folder = resolve('node_modules', '.cache', 'base-policies', program.slice(0, 16));
  const path = join(folder, basePolicyFile({ family, seed }));
  await oncePerRun(`base-policy-${family}-${seed}`, async () => {
    if (existsSync(path)) return;
    await mkdir(folder, { recursive: true });
    // The program replaces the file in one step, should another run of tests do the same.
    await run(process.execPath, [script, '--family', family, '--seed', String(seed), '--out', path]);
  });
  return path;
}

export async function baseCheckpoint(family: Family, seed = 1): Promise<Checkpoint> {
  return unwrap(parseCheckpoint(await readFile(await basePolicyPath(family, seed), 'utf8')));
}

export async function basePolicy(family: Family, seed = 1): Promise<PocketPolicy> {
  return unwrap(loadPolicy(await baseCheckpoint(family, seed)));
}

/** Puts base policies where the workbench and the trainer look for them before they make their own. */
export async function saveBasePolicies(folder: string, families: readonly Family[], seed = 1): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const family of families) {
    await copyFile(await basePolicyPath(family, seed), join(folder, basePolicyFile({ family, seed })));
  }
}
