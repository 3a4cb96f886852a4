// Builds main, preload and renderer into out/ when their inputs have changed.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { runChild } from '../child.mjs';
import { withLock } from '../lock.mjs';
import { inProject } from '../project.mjs';
import { Refusal } from './refusal.mjs';
import { formatSeconds, withElapsedLine } from './reporter.mjs';

const folders = ['main', 'preload', 'renderer', 'resources'];
const files = ['package.json', 'package-lock.json', 'electron.vite.config.ts'];
const outputs = ['main/index.js', 'main/cli.js', 'renderer/index.html'];
const marker = () => inProject('out', '.mars2-build');

export async function ensureBuilt(reporter) {
  if (await isFresh()) return;
  await withLock(
    inProject('out', '.build.lock'),
    async () => {
      if (!(await isFresh())) await build(reporter);
    },
    () => reporter.say('waiting for another build in this folder to end ...'),
  );
}

async function isFresh() {
  const built = await readFile(marker(), 'utf8').catch(() => '');
  return (
    built !== '' &&
    built.trim() === (await inputDigest()) &&
    outputs.every((path) => existsSync(inProject('out', path)))
  );
}

async function build(reporter) {
  const startedAt = Date.now();
  reporter.say('building the app ...');
  // The digest of the inputs now: a file that changes meanwhile makes the next start build again.
  const digest = await inputDigest();
  await rm(marker(), { force: true });
  const program = inProject('node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const result = await withElapsedLine(reporter, 'building', () =>
    runChild(process.execPath, [program, 'build'], {
      cwd: inProject(),
      collect: true,
    }),
  );
  if (result.code !== 0)
    throw new Refusal(
      `the build failed with exit code ${result.code}:\n${withoutTrace(result.output)}\nFix what it names, then run the same command again.`,
    );
  const absent = outputs.filter((path) => !existsSync(inProject('out', path)));
  if (absent.length > 0)
    throw new Refusal(
      `the build succeeded, but did not make out/${absent.join(', out/')}: see electron.vite.config.ts.`,
    );
  await mkdir(inProject('out'), { recursive: true });
  await writeFile(marker(), `${digest}\n`);
  reporter.say(`built in ${formatSeconds(Date.now() - startedAt)}`);
}

/** The bundler always colours its output, and ends with the place in its own source that printed it. */
const withoutTrace = (output) =>
  stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => !/^ {4}at /.test(line))
    .join('\n')
    .trim();

/** From names and contents, so neither a checkout nor a copy that touches times makes a build stale. */
async function inputDigest() {
  const paths = [...files, ...(await Promise.all(folders.map(listFiles))).flat()].sort();
  const contents = await Promise.all(paths.map((path) => readFile(inProject(path)).catch(() => 'absent')));
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  paths.forEach((path, index) => {
    const content = contents[index];
    hash.update(`\0${path}\0${content.length}\0`).update(content);
  });
  return hash.digest('hex');
}

async function listFiles(folder) {
  const entries = await readdir(inProject(folder), { recursive: true, withFileTypes: true }).catch(() => []);
  const root = inProject();
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}
