// The life of a deb on a bare Debian: installed, started from its desktop entry, driven through the quickstart, upgraded with
// data in place, bundles opened as by a double click, removed without leftovers. No compiler is there, and once what the
// package depends on is installed, no network.
// Run as root: node tests/bench/deb/life.mjs DEB [ROOT] (npm run package -- deb makes one; ROOT: a folder for the bare system,
// made where it is not there, and kept; else one is made and removed). Needs debootstrap, iproute2 and xvfb.
// MARS2_DEBIAN names another release than bookworm, MARS2_DEBIAN_MIRROR another mirror. Pictures go to $MARS2_SCREENSHOTS.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { Refusal, runScript } from '../../../scripts/ensure/index.mjs';
import { findProgram } from '../../../scripts/project.mjs';
import { HOME, makeBareSystem, outputOf, pathsOf, startBareSystem, USER } from './bare-system.mjs';

const PACKAGE = 'mars2-workbench';
const IN_OWN_NETWORK = 'MARS2_DEB_LIFE_NETWORK';
/** A port of a network that only this script has. */
const PORT = 9333;
const QUICKSTART_MS = 15 * 60_000;

const say = (text) => process.stdout.write(`${text}\n`);
const expect = (isTrue, claim) => {
  if (!isTrue) throw new Refusal(`NOT SO: ${claim}`);
  say(`  ok: ${claim}`);
};

/** Until `look` gives a value. */
async function eventually(look, what, limitMs = 240_000) {
  const until = Date.now() + limitMs;
  while (Date.now() < until) {
    const found = await look();
    if (found) return found;
    await sleep(250);
  }
  throw new Refusal(`NOT SO within ${limitMs / 1000} s: ${what}`);
}

async function prepare([deb, chosenRoot]) {
  const absent = ['debootstrap', 'dpkg-deb', 'Xvfb', 'ip', 'unshare', 'nsenter'].filter(
    (name) => !findProgram(name),
  );
  if (process.getuid?.() !== 0 || absent.length > 0 || deb === undefined || !existsSync(deb))
    throw new Refusal(
      `Run it as root with the path of a deb; ${absent.length > 0 ? `not here: ${absent.join(', ')}.` : 'all programs are here.'}`,
      2,
    );
  const scratch = await mkdtemp(join(tmpdir(), 'mars2-deb-'));
  const root = chosenRoot === undefined ? join(scratch, 'root') : resolve(chosenRoot);
  try {
    say(`a bare system in ${root}`);
    const {
      MARS2_DEBIAN: release = 'bookworm',
      MARS2_DEBIAN_MIRROR: mirror = 'http://deb.debian.org/debian',
    } = process.env;
    await makeBareSystem(root, deb, release, mirror);
    await cp(deb, join(root, 'root', 'new.deb'));
    await makeOlder(deb, scratch, join(root, 'root', 'old.deb'));
    const words = ['--net', '--kill-child', process.execPath, import.meta.filename, root];
    const child = spawn('unshare', ['--fork', ...words], {
      stdio: 'inherit',
      env: { ...process.env, [IN_OWN_NETWORK]: '1' },
    });
    process.exitCode = await new Promise((done) => child.once('close', (code) => done(code ?? 1)));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The same package as an older version had it: with a file that the new one has no more. */
async function makeOlder(deb, scratch, target) {
  const folder = join(scratch, 'older');
  execFileSync('dpkg-deb', ['--raw-extract', deb, folder]);
  const control = join(folder, 'DEBIAN', 'control');
  await writeFile(control, (await readFile(control, 'utf8')).replace(/^Version: .*$/m, 'Version: 0.0.1'));
  await writeFile(join(folder, 'opt', PACKAGE, 'of-an-older-version'), 'gone after the upgrade\n');
  execFileSync('dpkg-deb', ['-Znone', '--root-owner-group', '--build', folder, target], { stdio: 'ignore' });
  await rm(folder, { recursive: true });
}

/** The words of the entry's Exec, as a desktop starts it: `file` in the place of its %f. */
async function entryCommand(root, file) {
  const entry = await readFile(join(root, 'usr/share/applications', `${PACKAGE}.desktop`), 'utf8');
  const words = (/^Exec=(.*)$/m.exec(entry)?.[1] ?? '').split(' ');
  return words.flatMap((word) => (word === '%f' ? (file === undefined ? [] : [file]) : [word]));
}

/** Starts the window as a desktop does, and connects with its page. `data`: of a lab of its own. */
async function openWindow({ system, root, display, file, data }) {
  const env = { DISPLAY: display, XDG_DATA_HOME: data };
  const words = [...(await entryCommand(root, file)), `--remote-debugging-port=${PORT}`];
  const begun = Date.now();
  const child = system.as(USER, words, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  const ended = new Promise((done) => child.once('exit', done));
  await eventually(async () => {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Refusal(`The window ended (${child.exitCode ?? child.signalCode}):\n${errors}`);
    return fetch(`http://127.0.0.1:${PORT}/json/version`).then(
      ({ ok }) => ok,
      () => false,
    );
  }, 'the window is there');
  await sleep(4_000); // Who drives a window from its first moment slows it down.
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${PORT}`);
  const context = browser.contexts()[0];
  const page = context.pages()[0] ?? (await context.waitForEvent('page'));
  const painted = await page.evaluate(
    () =>
      performance.timeOrigin +
      (performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN),
  );
  const close = async () => {
    await page.evaluate(() => window.close()).catch(() => undefined);
    await ended;
    await browser.close().catch(() => undefined);
  };
  return { page, env, firstPaintMs: Math.round(painted - begun), close };
}

async function picture(page, name) {
  const folder = process.env.MARS2_SCREENSHOTS;
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

const studyIn = (page) =>
  page.evaluate(async () => {
    const list = await window.workbench.call('study.list', {});
    return list.ok ? (list.value[0] ?? null) : null;
  });

async function digestOfStudies(data) {
  const hash = createHash('sha256');
  const files = (await readdir(data, { recursive: true })).filter((name) =>
    /^mars2-workbench\/studies\/.*\.jsonl$/.test(name),
  );
  for (const name of files.sort()) hash.update(`\0${name}\0`).update(await readFile(join(data, name)));
  return `${files.length} journals, ${hash.digest('hex').slice(0, 16)}`;
}

async function live(root) {
  execFileSync('ip', ['link', 'set', 'lo', 'up']);
  const { display, close } = await startDisplay();
  const system = await startBareSystem(root);
  const inside = (path) => join(root, path);
  try {
    await rm(inside(HOME), { recursive: true, force: true });
    await outputOf(system, 'root', ['install', '-d', '-o', USER, '-g', USER, HOME]);
    const before = await pathsOf(root);
    const life = { system, root, inside, display, data: `${HOME}/data` };
    await install(life);
    const study = await runQuickstart(life);
    const kept = await digestOfStudies(inside(life.data));
    expect(!kept.startsWith('0 '), `its journals are in the user's folder (${kept})`);
    await upgrade(life, study, kept);
    const bundle = await useTerminal(life, study);
    await openByDoubleClick(life, bundle);
    await remove(life, before, kept);
  } finally {
    await system.close();
    close();
    for (const path of [HOME, 'root/new.deb', 'root/old.deb'])
      await rm(inside(path), { recursive: true, force: true });
  }
}

async function install({ system, inside }) {
  say('1. an older version is installed');
  for (const name of ['gcc', 'cc', 'clang', 'make', 'node', 'npm'])
    if (existsSync(inside(`usr/bin/${name}`))) throw new Refusal(`The system is not bare: it has ${name}.`);
  await outputOf(system, 'root', ['dpkg', '--install', '/root/old.deb']);
  expect((await versionIn(system)) === '0.0.1', 'dpkg installed it without a network or a compiler');
  const libraries = await outputOf(system, USER, ['ldd', `/opt/${PACKAGE}/${PACKAGE}`]);
  expect(
    !libraries.includes('not found'),
    'the package depends on every library that Electron is linked with',
  );
}

async function runQuickstart(life) {
  say('2. its desktop entry opens the window, and the quickstart runs');
  const { page, firstPaintMs, close } = await openWindow(life);
  say(`  first paint ${firstPaintMs} ms after the start (the first one)`);
  await picture(page, 'deb-first-start');
  const startedAt = Date.now();
  await page.getByRole('button', { name: 'Run the quickstart study' }).click();
  const isFinished = async () => (await studyIn(page))?.state.kind === 'finished';
  await eventually(isFinished, 'the quickstart finishes', QUICKSTART_MS);
  say(`  the quickstart took ${Math.round((Date.now() - startedAt) / 1000)} s`);
  await page.getByText('Finished', { exact: true }).first().waitFor();
  await picture(page, 'deb-quickstart-finished');
  const { study } = await studyIn(page);
  await close();
  return study;
}

async function upgrade(life, study, kept) {
  const { system, inside, data } = life;
  say('3. it is upgraded, with data in place');
  await outputOf(system, 'root', ['dpkg', '--install', '/root/new.deb']);
  expect((await versionIn(system)) !== '0.0.1', 'dpkg installed the new version over the old one');
  expect(
    !existsSync(inside(`opt/${PACKAGE}/of-an-older-version`)),
    'a file that the new version has no more is gone',
  );
  const { page, firstPaintMs, close } = await openWindow(life);
  say(`  first paint ${firstPaintMs} ms after the start`);
  const again = await studyIn(page);
  expect(again?.study.id === study.id && again.state.kind === 'finished', 'the study is listed as finished');
  expect((await digestOfStudies(inside(data))) === kept, 'its journals are the same to the byte');
  await picture(page, 'deb-upgraded');
  await close();
}

/** Gives the path of a bundle of the study. */
async function useTerminal({ system, inside, data }, study) {
  say('4. mars2 is on the path');
  const mars2 = (...words) => outputOf(system, USER, ['mars2', ...words], { env: { XDG_DATA_HOME: data } });
  const version = await mars2('--version');
  expect(/\d+\.\d+/.test(version), `mars2 --version says ${version}`);
  const bundle = `${HOME}/result of a lab.mars2.zip`;
  await mars2('bundles', 'write', study.id, '--out', bundle);
  expect(existsSync(inside(bundle)), 'mars2 bundles write packed the study');
  return bundle;
}

async function remove({ system, root, inside, data }, before, kept) {
  say('6. it is removed');
  const installed = await outputOf(system, 'root', [
    'du',
    '--summarize',
    '--block-size=MB',
    `/opt/${PACKAGE}`,
  ]);
  await outputOf(system, 'root', ['dpkg', '--purge', PACKAGE]);
  const left = (await pathsOf(root)).filter((path) => !before.includes(path));
  expect(
    left.length === 0,
    left.length === 0 ? 'nothing is left behind' : `nothing is left behind: ${left.slice(0, 9).join(', ')}`,
  );
  expect((await digestOfStudies(inside(data))) === kept, 'what the user made is still there');
  const packed = (await stat(inside('root/new.deb'))).size;
  say(`the deb has ${(packed / 1e6).toFixed(0)} MB, installed ${installed.split('MB')[0]} MB`);
}

/** In labs that have not seen the study: as the first start, and while the window is open. */
async function openByDoubleClick(life, bundle) {
  const { system, root } = life;
  say('5. a bundle is opened by a double click');
  const types = await outputOf(system, USER, ['cat', '/usr/share/mime/globs2']);
  expect(types.includes('*.mars2.zip'), 'desktops know the type of its file');
  const isShown = (page) =>
    eventually(
      async () => /^#\/studies\/./.test(await page.evaluate(() => window.location.hash)),
      'the window shows the study of the bundle',
    );
  const cold = await openWindow({ ...life, file: bundle, data: `${HOME}/second-lab` });
  await isShown(cold.page);
  await picture(cold.page, 'deb-bundle-first');
  await cold.close();
  say('  ok: it opens the window, which shows the study');
  const open = await openWindow({ ...life, data: `${HOME}/third-lab` });
  await outputOf(system, USER, await entryCommand(root, bundle), { env: open.env });
  await isShown(open.page);
  await picture(open.page, 'deb-bundle-second');
  await open.close();
  say('  ok: with the window open no second one comes; the open one shows the study');
}

const versionIn = async (system) =>
  /^Version: (.*)$/m.exec(await outputOf(system, 'root', ['dpkg-query', '--status', PACKAGE]))?.[1];

/** Without a key: nobody else is in this network, and its socket is the system's own. */
function startDisplay() {
  const words = ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp', '-ac'];
  const server = spawn('Xvfb', words, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  return new Promise((done, refuse) => {
    server.stdio[3]
      .setEncoding('utf8')
      .once('data', (number) => done({ display: `:${number.trim()}`, close: () => server.kill() }));
    server.once('exit', () => refuse(new Refusal('Xvfb did not start.')));
  });
}

await runScript(() =>
  process.env[IN_OWN_NETWORK] === '1' ? live(process.argv[2]) : prepare(process.argv.slice(2)),
);
