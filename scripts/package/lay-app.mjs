// Lays the app into a folder as it runs on a computer with nothing of ours: Electron, the built files, our resources, the
// npm packages that main asks for. No archive: other machines get copies of these files, and Python and Node read them.
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { runChild } from '../child.mjs';
import { Refusal } from '../ensure/index.mjs';
import { inProject, readJson } from '../project.mjs';
import { isNeededFile, isNeededOfElectron, withDependencies } from './contents.mjs';
import { packageName } from './descriptions.mjs';
import { licenceIn, licencesText } from './licences.mjs';

/** `electron`: its executable, with its other files beside it. */
export async function layApp(folder, electron, reporter) {
  const version = await electronVersion(electron);
  const manifest = await readJson(inProject('package.json'));
  if (version !== manifest.devDependencies.electron)
    reporter.say(
      `packing Electron ${version}, not ${manifest.devDependencies.electron}: for others, make the package where the pinned one is within reach`,
    );
  await copy(dirname(electron), folder, isNeededOfElectron);
  await rename(join(folder, basename(electron)), join(folder, packageName));
  const app = join(folder, 'resources', 'app');
  await mkdir(app, { recursive: true });
  // Hidden ones are marks of the build.
  await copy(inProject('out'), join(app, 'out'), (path) => isNeededFile(path) && !path.startsWith('.'));
  await copy(inProject('resources'), join(app, 'resources'), (path) => !/__pycache__|\.\w+_cache/.test(path));
  await cp(inProject('LICENSE'), join(app, 'LICENSE'));
  await layPackages(app, manifest, version);
  const { name, description, license, type, main } = manifest;
  const fields = { name, version: manifest.version, description, license, type, main };
  // The name of its desktop entry, by which desktops know the window.
  const written = { ...fields, desktopName: `${packageName}.desktop` };
  await writeFile(join(app, 'package.json'), `${JSON.stringify(written, null, 2)}\n`);
  await setModes(folder);
}

async function layPackages(app, manifest, version) {
  for (const path of await readJson(inProject('out', 'main', 'packages.json')))
    await copy(inProject(path), join(app, path), (file) => isNeededFile(file) && file !== 'node_modules');
  const lock = await readJson(inProject('package-lock.json'));
  const isInstalled = (path) => existsSync(inProject(path, 'package.json'));
  const inApp = withDependencies(Object.keys(manifest.dependencies), lock, isInstalled);
  const licences = await Promise.all(inApp.map((path) => licenceIn(inProject(path))));
  await writeFile(join(app, 'LICENSES.txt'), licencesText(licences, version));
}

async function electronVersion(electron) {
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const result = await runChild(electron, ['-p', 'process.versions.electron'], { collect: true, env });
  if (result.code !== 0)
    throw new Refusal(`${electron} does not run as Electron does:\n${result.output.trim()}`);
  return result.output.trim();
}

/** Follows links. `isWanted(path)`: of a file or folder, from `from` on. */
const copy = (from, to, isWanted) =>
  cp(from, to, {
    recursive: true,
    dereference: true,
    filter: (path) => path === from || isWanted(relative(from, path)),
  });

/** The same whatever the umask here, and readable for all. */
async function setModes(folder) {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const { mode } = await stat(path);
    await chmod(path, entry.isDirectory() || mode & 0o100 ? 0o755 : 0o644);
  }
}
