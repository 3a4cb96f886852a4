// The step for the learner, which is Python: ruff, mypy and pytest in an environment of their own.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runChild } from '../child.mjs';
import { learnerPython } from '../ensure/learner-python.mjs';
import { vllmPython } from '../ensure/vllm-python.mjs';
import { cacheRoot, inProject } from '../project.mjs';
import { changedFiles } from './changed.mjs';
import { failuresOfVitest } from './failures.mjs';
import { add, nothing, tallyOfCheck, tallyOfPytest, tallyOfVitest } from './tally.mjs';

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

/** Its environment takes minutes, mostly of waiting; `--changed` may not need it at all. */
export const prepareLearner = ({ reporter, since }) => (since === null ? findPythons(reporter) : undefined);

/** The learner's Python and, where it can be had, one with vLLM: { kind, python, vllm }. */
async function findPythons(reporter) {
  const found = await learnerPython(reporter);
  if (found.kind === 'absent') return found;
  const engine = await vllmPython(reporter);
  if (engine.kind === 'ready') return { ...found, vllm: engine.python };
  reporter.say(`tests/learner/vllm.test.ts is left out: ${engine.reason}`);
  return found;
}

/** Where no environment can be had, its tests are left out: named, counted, and skipped in the tally. */
export async function testLearner({ reporter, scratch, filters, since }, begun) {
  if (
    since !== null &&
    !(await changedFiles(since)).some((path) => python.some((folder) => path.startsWith(folder)))
  ) {
    reporter.say(`Nothing of the learner changed since ${since}.`);
    return nothing;
  }
  const found = (await begun) ?? (await findPythons(reporter));
  if (found.kind === 'absent') {
    const files = await countTests();
    const count = files.reduce((sum, file) => sum + file.count, 0);
    reporter.say(`left out, as ${found.reason}:\n  ruff, mypy and ${count} tests of the learner:`);
    for (const { name, count } of files) reporter.say(`  ${join(tests, name)}: ${count}`);
    return { ...nothing, skipped: count + 2 };
  }
  // Beside each other: pytest keeps one core busy, and the trainer's tests wait for their learners.
  const [inPython, trainer] = await Promise.all([
    checkPython(found.python, { reporter, scratch, filters }),
    testTrainer(found, scratch),
  ]);
  return { ...add(inPython, trainer), failures: [...inPython.failures, ...trainer.failures] };
}

/** ruff, mypy and pytest. Each one's output comes as a whole: the trainer's tests write in between. */
async function checkPython(program, { reporter, scratch, filters }) {
  const run = async (...args) => {
    const { code, output } = await runPython(program, args);
    reporter.say(output.trimEnd());
    return code;
  };
  const caches = join(cacheRoot(), 'learner', 'caches');
  const checks = [
    await run('-m', 'ruff', 'check', '--no-cache', '--config', config, ...python),
    await run('-m', 'ruff', 'format', '--check', '--no-cache', '--config', config, ...python),
    await run('-m', 'mypy', '--cache-dir', caches, '--config-file', config, ...python),
  ];
  const tally = checks.map(tallyOfCheck).reduce(add, nothing);
  const report = join(scratch, 'learner.xml');
  const chosen = filters.length > 0 ? filters : [tests];
  const code = await run('-m', 'pytest', '-q', '-c', config, `--junitxml=${report}`, ...chosen);
  const text = await readFile(report, 'utf8').catch(() => '');
  return { ...add(tally, tallyOfPytest(countsOf(text), code)), failures: failuresOf(text) };
}

/** The trainer with real learners: tests/learner/*.test.ts. */
async function testTrainer({ python: program, vllm }, scratch) {
  const report = join(scratch, 'learner.json');
  const args = [
    'run',
    '--project=learner',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const { code } = await runChild(
    process.execPath,
    [inProject('node_modules', 'vitest', 'vitest.mjs'), ...args],
    {
      cwd: inProject(),
      forwardSignals: true,
      env: {
        ...{ ...process.env, ...oneThread, MARS2_LEARNER_PYTHON: program },
        ...(vllm === undefined ? {} : { MARS2_VLLM_PYTHON: vllm }),
      },
    },
  );
  const results = await readFile(report, 'utf8').then(JSON.parse, () => undefined);
  return { ...tallyOfVitest(results, code), failures: failuresOfVitest(results) };
}

function runPython(program, args) {
  const { PYTHONHOME: _, ...env } = process.env;
  const paths = [inProject('resources', 'learner'), inProject(tests)].join(':');
  const settings = { PYTHONPATH: paths, MYPYPATH: inProject('resources', 'learner'), PYTHONNOUSERSITE: '1' };
  return runChild(program, args, {
    cwd: inProject(),
    collect: true,
    forwardSignals: true,
    // No bytecode: a run as root would leave files in the checkout that its owner can not remove.
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

/** Of pytest's JUnit report: { tests, failures, errors, skipped }, or undefined when there is none. */
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
    const said = message
      .split('&#10;')[0]
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
    return [`${tests}/${file?.split('.').at(-1)}.py: ${name}\n    ${said}`];
  });
}
