// npm run package: makes installers for this kind of computer in dist/. `npm run package -- deb` makes that one alone.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { electronPath } from './ensure/electron.mjs';
import { createReporter, ensure, ensureBuilt, Refusal, runScript } from './ensure/index.mjs';
import { makeAppImage } from './package/appimage.mjs';
import { makeDeb } from './package/deb.mjs';
import { layApp } from './package/lay-app.mjs';
import { inProject, readJson } from './project.mjs';

const makers = { deb: makeDeb, appimage: makeAppImage };

async function makePackages(formats, reporter) {
  const unknown = formats.filter((name) => !Object.hasOwn(makers, name));
  if (unknown.length > 0)
    throw new Refusal(`There is no package "${unknown[0]}". Name deb, appimage, or nothing for both.`, 2);
  if (process.platform !== 'linux')
    throw new Refusal('Packages are made on Linux. For a Mac, docs/packaging.md has the recipe of a dmg.');
  await ensure([], reporter);
  await ensureBuilt(reporter);
  const electron = await electronPath(reporter);
  const { version } = await readJson(inProject('package.json'));
  await mkdir(inProject('dist'), { recursive: true });
  const scratch = await mkdtemp(inProject('dist', '.making-'));
  try {
    const app = join(scratch, 'app');
    await layApp(app, electron, reporter);
    const leftOut = [];
    for (const name of formats.length > 0 ? formats : Object.keys(makers)) {
      const isMade = await makers[name]({ app, scratch, version, target: inProject('dist'), reporter });
      if (!isMade) leftOut.push(name);
    }
    const all = leftOut.length === Object.keys(makers).length;
    // A package that was requested by name must not be missing without an error for scripts.
    if (all || (formats.length > 0 && leftOut.length > 0))
      throw new Refusal(`Not made: ${leftOut.join(' and ')}. See above what to do.`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

await runScript(() => makePackages(process.argv.slice(2), createReporter(process.stderr)));
