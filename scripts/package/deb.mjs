// Makes a package for Debian and Ubuntu. It has no scripts that run on installation or removal: dpkg sets the modes,
// and desktops detect new entries, icons and file types.
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findProgram, inProject } from '../project.mjs';
import {
  architectureOf,
  controlFile,
  copyrightFile,
  desktopEntry,
  installedAt,
  mimeTypes,
  packageName,
  terminalProgram,
} from './descriptions.mjs';
import { pack, reportMade } from './pack.mjs';

/** `app`: what `layApp` laid. Writes into the folder `target`; false: it could not, and the user has read why. */
export async function makeDeb({ app, scratch, version, target, reporter }) {
  if (!findProgram('dpkg-deb')) {
    reporter.say(
      'The deb is left out: it needs dpkg-deb, which is in the package dpkg of most distributions.',
    );
    return false;
  }
  const startedAt = Date.now();
  const root = join(scratch, 'deb');
  await layRoot(root, app, version);
  const name = `${packageName}_${version}_${architectureOf(process.arch)}.deb`;
  const file = join(target, name);
  // Every dpkg reads xz. dpkg's own variable makes a try quicker: DPKG_DEB_COMPRESSOR_TYPE=none.
  const compression = process.env.DPKG_DEB_COMPRESSOR_TYPE ? [] : ['-Zxz'];
  const args = ['--root-owner-group', ...compression, '--build', root, `${file}.part`];
  await pack(name, 'dpkg-deb', args, reporter);
  await rename(`${file}.part`, file);
  // The next package is made of the same files.
  await rename(join(root, installedAt), app);
  await rm(root, { recursive: true, force: true });
  await reportMade(file, startedAt, reporter);
  return true;
}

/** The files as they lie on a system. */
async function layRoot(root, app, version) {
  const write = async (path, text, mode = 0o644) => {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await writeFile(join(root, path), text);
    await chmod(join(root, path), mode);
  };
  await mkdir(join(root, dirname(installedAt)), { recursive: true });
  await rename(app, join(root, installedAt));
  // Chromium's own sandbox where users may make no namespaces, as Debian's chromium package has it.
  await chmod(join(root, installedAt, 'chrome-sandbox'), 0o4755);
  await write('usr/bin/mars2', terminalProgram(installedAt), 0o755);
  await symlink(join(installedAt, packageName), join(root, 'usr/bin', packageName));
  await write(`usr/share/applications/${packageName}.desktop`, desktopEntry(packageName));
  await write(`usr/share/mime/packages/${packageName}.xml`, mimeTypes());
  const licence = await readFile(inProject('LICENSE'), 'utf8');
  await write(`usr/share/doc/${packageName}/copyright`, copyrightFile(licence));
  await layIcons(join(root, 'usr/share/icons/hicolor'));
  const installedKiB = Math.ceil((await bytesIn(root)) / 1024);
  await write('DEBIAN/control', controlFile({ version, arch: process.arch, installedKiB }));
  await chmodFolders(root);
}

async function layIcons(hicolor) {
  for (const [folder, ending] of [
    ['512x512', 'png'],
    ['scalable', 'svg'],
  ]) {
    await mkdir(join(hicolor, folder, 'apps'), { recursive: true });
    const icon = join(hicolor, folder, 'apps', `${packageName}.${ending}`);
    await cp(inProject('resources', 'icons', `icon.${ending}`), icon);
    await chmod(icon, 0o644);
  }
}

const entriesIn = (folder) => readdir(folder, { recursive: true, withFileTypes: true });

async function bytesIn(folder) {
  const files = (await entriesIn(folder)).filter((entry) => entry.isFile());
  const stats = await Promise.all(files.map((file) => stat(join(file.parentPath, file.name))));
  return stats.reduce((sum, { size }) => sum + size, 0);
}

async function chmodFolders(root) {
  const folders = (await entriesIn(root)).filter((entry) => entry.isDirectory());
  for (const path of [root, ...folders.map((entry) => join(entry.parentPath, entry.name))])
    await chmod(path, 0o755);
}
