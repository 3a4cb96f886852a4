// One file that runs without being installed: a small program (the runtime), and behind it an image of all files, which it
// mounts. The image is made by squashfs-tools; the runtime comes from its own release, or from a file that is named.
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, copyFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { download } from '../ensure/download.mjs';
import { Refusal } from '../ensure/refusal.mjs';
import { digestOf } from '../ensure/runtime-cache.mjs';
import { findProgram, inProject } from '../project.mjs';
import { appRun, desktopEntry, packageName } from './descriptions.mjs';
import { pack, reportMade } from './pack.mjs';

/** The names that its release has for Node's processors. */
const processors = { x64: 'x86_64', arm64: 'aarch64' };
const releases = 'https://github.com/AppImage/type2-runtime/releases/download/continuous/';

/** `app`: what `layApp` laid; files are added to it. Writes into the folder `target`; false: it could not. */
export async function makeAppImage({ app, scratch, version, target, reporter }) {
  const startedAt = Date.now();
  if (!findProgram('mksquashfs')) {
    reporter.say('The AppImage is left out: it needs mksquashfs, which is in the package squashfs-tools.');
    return false;
  }
  const runtime = await runtimeFile(join(scratch, 'runtime'), reporter);
  if (runtime === undefined) return false;
  await layAppDir(app);
  const name = `${packageName}-${version}-${processors[process.arch]}.AppImage`;
  const image = join(scratch, 'image.squashfs');
  const args = [app, image, '-root-owned', '-noappend', '-quiet', '-no-progress', '-comp', 'zstd'];
  await pack(name, 'mksquashfs', args, reporter);
  const part = join(target, `${name}.part`);
  await copyFile(runtime, part);
  await pipeline(createReadStream(image), createWriteStream(part, { flags: 'a' }));
  await chmod(part, 0o755);
  await rename(part, join(target, name));
  await reportMade(join(target, name), startedAt, reporter);
  return true;
}

async function layAppDir(app) {
  await writeFile(join(app, 'AppRun'), appRun());
  await chmod(join(app, 'AppRun'), 0o755);
  await writeFile(join(app, `${packageName}.desktop`), desktopEntry('AppRun'));
  await copyFile(inProject('resources', 'icons', 'icon.png'), join(app, `${packageName}.png`));
  await symlink(`${packageName}.png`, join(app, '.DirIcon'));
}

/** The file of MARS2_APPIMAGE_RUNTIME, else the released one; undefined: there is none, and the user has read why. */
async function runtimeFile(to, reporter) {
  const named = process.env.MARS2_APPIMAGE_RUNTIME;
  if (named) {
    if ((await stat(named).catch(() => null))?.isFile()) return named;
    throw new Refusal(`MARS2_APPIMAGE_RUNTIME is ${named}, but there is no such file.`);
  }
  const url = `${releases}runtime-${processors[process.arch]}`;
  try {
    await download(url, to, 'the runtime of AppImages', reporter);
  } catch (error) {
    reporter.say(
      `left out: the AppImage. Its runtime is out of reach (${error.message}). Fetch ${url} elsewhere, and name the file in MARS2_APPIMAGE_RUNTIME.`,
    );
    return undefined;
  }
  reporter.say(`the runtime of AppImages has the SHA-256 ${await digestOf(to)}`);
  return to;
}
