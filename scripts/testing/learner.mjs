// The step for the learner, which is Python: ruff, mypy and pytest in an environment of their own.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runChild } from '../child.mjs';
import { learnerPython } from '../ensure/learner-python.mjs';
import { vllmPython } from '../ensure/vllm-python.mjs';
import { cacheRoot, inProject } from '../project.mjs';
import { changedFiles } from './changed.mjs';
import { failuresOfVitest } from './failures.mjs';
import { add, emptyTally, tallyOfCheck, tallyOfPytest, tallyOfVitest } from './tally.mjs';

const tests = join('tests', 'learner');
const python = [
  join('resources', 'learner', 'mars2_learner'),
  join('resources', 'llama-cpp'),
  join('resources', 'grader-clients'),
  join('tests', 'main', 'grader-service'),
  ...[tests, join('tests', 'bench', 'learner')],
];
const config = join('resources', 'learner', 'pyproject.toml');
/** The models are tiny: a second thread only waits for the first, and for long on a busy computer. */
const oneThread = { OMP_NUM_THREADS: '1' };
/** Beside other steps: these tests have minutes of patience, theirs have seconds. */
const inBackground = { collect: true, forwardSignals: true, yields: true };

/**
 * Its environment takes minutes, mostly of waiting, and its tests use a core or less: all of it begins beside the other steps,
 * whose tests wait for processes and connections a third of their time. `--changed` may not need it at all.
 * Resolves when the environment is there, with what becomes of the tests: { tested }.
 */
export async function beginLearner(context) {
  if (context.since !== null) return undefined;
  const tested = testIn(await learnerPython(context.reporter), context);
  tested.catch(() => {}); // it is the step's error, when its turn comes
  return { tested };
}

/** Says what the tests printed when it is the step's turn. */
export async function testLearner(context, begun) {
  const { reporter, since } = context;
  if (
    since !== null &&
    !(await changedFiles(since)).some((path) => python.some((folder) => path.startsWith(folder)))
  ) {
    reporter.say(`Nothing of the learner changed since ${since}.`);
    return emptyTally;
  }
  const { text, ...result } = await ((await begun)?.tested ?? testIn(await learnerPython(reporter), context));
  reporter.say(text);
  return result;
}

/** Where no environment can be had, its tests are left out: named, counted, and skipped in the tally. */
async function testIn(found, { reporter, scratch, filters }) {
  if (found.kind === 'absent') {
    const files = await countTests();
    const count = files.reduce((sum, file) => sum + file.count, 0);
    const lines = files.map((file) => `  ${join(tests, file.name)}: ${file.count}`);
    const title = `left out, as ${found.reason}:\n  ruff, mypy and ${count} tests of the learner:`;
    return { ...emptyTally, skipped: count + 2, text: [title, ...lines].join('\n') };
  }
  const [inPython, vllm] = await Promise.all([
    checkPython(found.python, { scratch, filters }),
    findVllm(reporter),
  ]);
  const trainer = await testTrainer(found.python, vllm, scratch);
  return {
    ...add(inPython, trainer),
    failures: [...inPython.failures, ...trainer.failures],
    text: `${inPython.text}\n${trainer.text}`,
  };
}

/** A Python with vLLM, where it can be had. */
async function findVllm(reporter) {
  const engine = await vllmPython(reporter);
  if (engine.kind === 'ready') return engine.python;
  reporter.say(`tests/learner/vllm.test.ts is left out: ${engine.reason}`);
  return undefined;
}

/** ruff, mypy and pytest. */
async function checkPython(program, { scratch, filters }) {
  const outputs = [];
  const run = async (...args) => {
    const { code, output } = await runPython(program, args);
    outputs.push(output.trimEnd());
    return code;
  };
  const caches = join(cacheRoot(), 'learner', 'caches');
  const checks = [
    await run('-m', 'ruff', 'check', '--no-cache', '--config', config, ...python),
    await run('-m', 'ruff', 'format', '--check', '--no-cache', '--config', config, ...python),
    await run('-m', 'mypy', '--cache-dir', caches, '--config-file', config, ...python),
  ];
  const tally = checks.map(tallyOfCheck).reduce(add, emptyTally);
  const report = join(scratch, 'learner.xml');
  const chosen = filters.length > 0 ? filters : [tests];
  const code = await run('-m', 'pytest', '-q', '-c', config, `--junitxml=${report}`, ...chosen);
  const text = await readFile(report, 'utf8').catch(() => '');
  const counted = add(tally, tallyOfPytest(countsOf(text), code));
  return { ...counted, failures: failuresOf(text), text: outputs.join('\n') };
}

/** The trainer with real learners: tests/learner/*.test.ts. */
async function testTrainer(program, vllm, scratch) {
  const report = join(scratch, 'learner.json');
  const args = [
    'run',
    '--project=learner',
    '--maxWorkers=2',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const { code, output } = await runChild(
    process.execPath,
    [inProject('node_modules', 'vitest', 'vitest.mjs'), ...args],
    {
      cwd: inProject(),
      ...inBackground,
      env: {
        ...{ ...process.env, ...oneThread, MARS2_LEARNER_PYTHON: program },
        ...(vllm === undefined ? {} : { MARS2_VLLM_PYTHON: vllm }),
      },
    },
  );
  const results = await readFile(report, 'utf8').then(JSON.parse, () => undefined);
  return { ...tallyOfVitest(results, code), failures: failuresOfVitest(results), text: output.trimEnd() };
}

function runPython(program, args) {
  const { PYTHONHOME: _, ...env } = process.env;
  const paths = [inProject('resources', 'learner'), inProject(tests)].join(':');
  const settings = { PYTHONPATH: paths, MYPYPATH: inProject('resources', 'learner'), PYTHONNOUSERSITE: '1' };
  return runChild(program, args, {
    cwd: inProject(),
    ...inBackground,
    // No bytecode: a run as root would leave files in the checkout that its owner cannot remove.
    env: { ...env, ...settings, ...oneThread, PYTHONDONTWRITEBYTECODE: '1' },
  });
}

/** [{ name, count }]: functions that are tests; with their parameters there are more. */
async function countTests() {
  const names = (await readdir(inProject(tests)))
    .filter((name) => /^test_.*\.py$|\.test\.ts$/.test(name))
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(inProject(tests, name), 'utf8');
      return { name, count: text.match(/^def test_|^ {2}it\(/gm)?.length ?? 0 };
    }),
  );
}

/** The counts of pytest's JUnit report: { tests, failures, errors, skipped }, or undefined when there is none. */
export function countsOf(xml) {
  const [suite] = /<testsuite [^>]*>/.exec(xml) ?? [];
  if (suite === undefined) return undefined;
  const number = (name) => Number(new RegExp(` ${name}="(\\d+)"`).exec(suite)?.[1] ?? 0);
  return Object.fromEntries(['tests', 'failures', 'errors', 'skipped'].map((name) => [name, number(name)]));
}

/** A line or two each, as for the other runners. */
export function failuresOf(xml) {
  return xml.split('<testcase ').flatMap((part) => {
    const [, message] = /<(?:failure|error) message="([^"]*)"/.exec(part) ?? [];
    if (message === undefined) return [];
    const [, file] = /classname="([^"]*)"/.exec(part) ?? [];
    const [, name] = / name="([^"]*)"/.exec(part) ?? [];
    const text = message
      .split('&#10;')[0]
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
    return [`${tests}/${file?.split('.').at(-1)}.py: ${name}\n    ${text}`];
  });
}
