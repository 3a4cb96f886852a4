// The steps of `npm test`. Each returns its tally and, where known, which tests failed; a failed test throws nothing.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runChild } from '../child.mjs';
import { ensureBuilt } from '../ensure/index.mjs';
import { madeLearnerPython } from '../ensure/learner-python.mjs';
import { inProject } from '../project.mjs';
import { changedTests } from './changed.mjs';
import { failuresOfPlaywright, failuresOfVitest } from './failures.mjs';
import { beginLearner, testLearner } from './learner.mjs';
import { pathWithPlainPython } from './plain-python.mjs';
import { add, emptyTally, tallyOfCheck, tallyOfPlaywright, tallyOfVitest } from './tally.mjs';
import { openVirtualDisplay } from './virtual-display.mjs';

/** The programs of our packages, started by node itself: no shell and no npx in between, whatever the path holds. */
const runTool = (path, args, options = {}) =>
  runChild(process.execPath, [inProject('node_modules', ...path.split('/')), ...args], {
    cwd: inProject(),
    forwardSignals: true,
    ...options,
  });

const runScriptOf = (...path) =>
  runChild(process.execPath, [inProject(...path)], { cwd: inProject(), forwardSignals: true, collect: true });

/**
 * A step of checks that each keep one core busy, begun beside the steps before; what they print comes when it is the step's
 * turn. `begin` starts them all.
 */
const besideOthers = (title, begin) => ({
  title,
  early: () => Promise.all(begin()),
  async run({ reporter }, begun) {
    const ends = await begun;
    for (const { output } of ends) if (output !== '') reporter.say(output.trimEnd());
    return tallyOfCheck(Math.max(...ends.map(({ code }) => code)));
  },
});

/**
 * `context`: { reporter, scratch, filters, since, electron, begun }. What `early` begins runs beside the steps before, and
 * is given to `run`: what would keep only one of two cores busy, or waits for packages. `begun`: that of each step by name.
 */
export const steps = {
  lint: {
    title: 'format and lint',
    early: () => runScriptOf('scripts', 'lint', 'slow-patterns.mjs'),
    async run({ reporter }, begun) {
      const format = await runTool('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']);
      const { code, output } = await begun;
      if (output !== '') reporter.say(output.trimEnd());
      return add(tallyOfCheck(format.code), tallyOfCheck(code));
    },
  },
  words: besideOthers('words, and scripts for a shell', () =>
    ['words.mjs', 'shell-text.mjs'].map((name) => runScriptOf('scripts', 'lint', name)),
  ),
  walls: besideOthers('walls', () => {
    const options = ['--config', '.dependency-cruiser.cjs', '--output-type', 'err-long'];
    const program = 'dependency-cruiser/bin/dependency-cruise.mjs';
    return [runTool(program, [...options, 'main', 'preload', 'renderer'], { collect: true })];
  }),
  /** No test by itself, but the window's tests cannot be run when it fails, so a failure counts. */
  build: {
    title: 'build',
    early: ({ reporter }) => ensureBuilt(reporter),
    async run(_, begun) {
      await begun;
      return emptyTally;
    },
  },
  /** A second checker of a project would infer the same types once more: half of the processor's time. */
  types: besideOthers('types', () => [
    runTool('typescript-7/bin/tsc', ['-b', '--checkers', '1', '--builders', '2'], { collect: true }),
  ]),
  unit: {
    title: 'unit tests',
    async run({ scratch, filters, since, reporter }) {
      const chosen = since === null ? filters : await changedTests(since);
      if (since !== null && chosen.length === 0) {
        reporter.say(`No unit test is affected by what changed since ${since}.`);
        return emptyTally;
      }
      const report = join(scratch, 'unit.json');
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
      const { code } = await runTool(
        'vitest/vitest.mjs',
        ['run', '--project=!learner', ...reporters, ...chosen],
        { env: { ...process.env, PATH: await pathWithPlainPython() } },
      );
      const results = await readReport(report);
      return { ...tallyOfVitest(results, code), failures: failuresOfVitest(results) };
    },
  },
  // Not beside the unit tests: on two cores both then take much longer than one after the other.
  e2e: { title: 'tests in the real window', run: runPlaywright },
  learner: { title: 'learner (Python)', early: beginLearner, run: testLearner },
};

async function runPlaywright({ scratch, filters, electron, reporter, begun }) {
  await (begun.get('build') ?? ensureBuilt(reporter));
  const report = join(scratch, 'e2e.json');
  const ownDisplay = process.env.MARS2_TEST_DISPLAY === '1';
  const displays = ownDisplay ? [] : await openVirtualDisplays(scratch);
  reporter.say(
    ownDisplay
      ? 'on the display of this session'
      : `on virtual displays, ${displays.map((display) => display.env.DISPLAY).join(' and ')}`,
  );
  try {
    const env = {
      ...process.env,
      PATH: await pathWithPlainPython(),
      MARS2_TEST_DISPLAYS: JSON.stringify(displays.map((display) => display.env)),
      MARS2_ELECTRON: electron,
      MARS2_TEST_SCRATCH: scratch,
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    };
    await begun.get('learner')?.catch(() => {}); // its environment is made; if not, the next line finds none
    const python = await madeLearnerPython();
    if (python === null)
      reporter.say('tests/e2e/trainers.spec.ts is left out: the step "learner" sets up its Python');
    else env.MARS2_LEARNER_PYTHON = python;
    if (!ownDisplay) delete env.WAYLAND_DISPLAY;
    delete env.ELECTRON_RUN_AS_NODE;
    const args = ['test', '--reporter=line,json', ...filters];
    const { code } = await runTool('@playwright/test/cli.js', args, { env });
    const results = await readReport(report);
    return { ...tallyOfPlaywright(results, code), failures: failuresOfPlaywright(results) };
  } finally {
    for (const display of displays) await display.close();
  }
}

/** One for each of Playwright's workers. */
async function openVirtualDisplays(scratch) {
  const displays = [];
  try {
    for (const name of ['first-display', 'second-display']) {
      const folder = join(scratch, name);
      await mkdir(folder);
      displays.push(await openVirtualDisplay(folder));
    }
    return displays;
  } catch (error) {
    for (const display of displays) await display.close();
    throw error;
  }
}

async function readReport(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined; // the runner died before it wrote one
  }
}
