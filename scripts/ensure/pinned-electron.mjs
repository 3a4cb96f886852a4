// The Electron that package.json pins: its official release, checked against the checksums that its npm package carries.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { inProject, readJson } from '../project.mjs';
import { download } from './download.mjs';
import { formatSeconds } from './reporter.mjs';
import { addRuntime, digestOf, findRuntime, runtimesFolder } from './runtime-cache.mjs';
import { unzip } from './unzip.mjs';

const releases = 'https://github.com/electron/electron/releases/download/';
/** So long we believe that the release host is out of reach, so that each start does not wait for it. */
const unreachableForMs = 24 * 3_600_000;

const packageFolder = () => inProject('node_modules', 'electron');

export async function describePinned() {
  const { version } = await readJson(join(packageFolder(), 'package.json'));
  const arch = process.env.npm_config_arch ?? process.arch;
  const zipName = `electron-v${version}-${process.platform}-${arch}.zip`;
  const executable = process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron';
  return { version, zipName, executable, id: `${version}-${process.platform}-${arch}` };
}

/** The executable if it is on this machine already: in our cache, or where `electron`'s own installer puts it. */
export async function findPinned(pinned) {
  return findInstalled(pinned) ?? (await findRuntime(pinned.id, pinned.executable));
}

function findInstalled({ version, executable }) {
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(packageFolder(), 'dist');
  const path = join(folder, executable);
  try {
    const installed = readFileSync(join(folder, 'version'), 'utf8').trim().replace(/^v/, '');
    return installed === version && existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Gives { kind: 'ready', path } or { kind: 'unreachable', reason }. */
export async function fetchPinned(pinned, reporter) {
  const expectedDigest = (await readJson(join(packageFolder(), 'checksums.json')))[pinned.zipName];
  if (!expectedDigest)
    return { kind: 'unreachable', reason: `there is no Electron ${pinned.version} for ${pinned.id}` };
  const local = await findDownloaded(pinned.zipName, expectedDigest);
  const remembered = local ? undefined : await recallUnreachable(pinned);
  if (remembered) return { kind: 'unreachable', reason: remembered };
  try {
    const startedAt = Date.now();
    const path = await addRuntime(pinned.id, pinned.executable, async (folder, scratch) => {
      const zip = local ?? join(scratch, pinned.zipName);
      if (!local) await downloadRelease(pinned, zip, expectedDigest, reporter);
      await unzip(zip, folder);
    });
    await rm(unreachableFile(), { force: true });
    reporter.say(`Electron ${pinned.version} is ready (${formatSeconds(Date.now() - startedAt)})`);
    return { kind: 'ready', path };
  } catch (error) {
    if (['ENOSPC', 'EACCES', 'EROFS', 'EDQUOT'].includes(error.code)) throw error; // the fallback would not fit either
    await rememberUnreachable(pinned, error.message);
    return { kind: 'unreachable', reason: error.message };
  }
}

async function downloadRelease({ version, zipName }, zip, expectedDigest, reporter) {
  const url = releaseUrl(version, zipName, process.env);
  reporter.say(`downloading Electron ${version} from ${new URL(url).host} ...`);
  await download(url, zip, `Electron ${version}`, reporter);
  const actual = await digestOf(zip);
  if (actual !== expectedDigest)
    throw new Error(
      `what came is not the release (its SHA-256 is ${actual.slice(0, 12)}..., not ${expectedDigest.slice(0, 12)}...)`,
    );
}

/** The variables are those of @electron/get. */
export function releaseUrl(version, zipName, env) {
  const mirror = env.ELECTRON_MIRROR ?? env.npm_config_electron_mirror ?? releases;
  const folder = (env.ELECTRON_CUSTOM_DIR ?? env.npm_config_electron_custom_dir ?? 'v{{ version }}').replace(
    /\{\{ ?version ?\}\}/,
    version,
  );
  return `${mirror.replace(/\/?$/, '/')}${folder}/${env.ELECTRON_CUSTOM_FILENAME ?? zipName}`;
}

/** A zip that other Electron projects downloaded before, where @electron/get keeps them: <cache>/<digest of the URL>/. */
async function findDownloaded(zipName, expectedDigest) {
  const folder =
    process.env.electron_config_cache ??
    join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'electron');
  const names = await readdir(folder).catch(() => []);
  for (const path of ['', ...names].map((name) => join(folder, name, zipName)))
    if (existsSync(path) && (await digestOf(path)) === expectedDigest) return path;
  return undefined;
}

const unreachableFile = () => join(runtimesFolder(), 'unreachable.json');

async function rememberUnreachable({ id }, reason) {
  await mkdir(dirname(unreachableFile()), { recursive: true });
  await writeFile(
    unreachableFile(),
    `${JSON.stringify({ id, mirror: mirrorName(), reason, at: Date.now() })}\n`,
  );
}

async function recallUnreachable({ id }) {
  const text = await readFile(unreachableFile(), 'utf8').catch(() => undefined);
  return text && stillUnreachable(text, { id, mirror: mirrorName(), now: Date.now() });
}

/** Another version or another mirror is another question. */
export function stillUnreachable(text, { id, mirror, now }) {
  let note;
  try {
    note = JSON.parse(text);
  } catch {
    return undefined;
  }
  const age = now - note.at;
  if (note.id !== id || note.mirror !== mirror || !(age >= 0 && age < unreachableForMs)) return undefined;
  return `${note.reason}; asked ${formatAge(age)} ago, asking again after a day`;
}

const formatAge = (ms) =>
  ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
const mirrorName = () => releaseUrl('', '', process.env);
