// npm test: everything. `npm test -- unit e2e` runs only these steps, `npm test -- unit -- FILTER` only some tests,
// `npm test -- --quick` the pure ones, `npm test -- --changed [COMMIT]` what a change touches.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createReporter, ensure, Refusal, runScript } from './ensure/index.mjs';
import { formatSeconds } from './ensure/reporter.mjs';
import { inProject } from './project.mjs';
import { parseSelection, purposesOf, stepNames } from './testing/selection.mjs';
import { steps } from './testing/steps.mjs';
import { add, emptyTally, formatTally } from './testing/tally.mjs';

await runScript(async () => {
  const selection = parseSelection(process.argv.slice(2));
  if (selection.kind === 'unknown')
    throw new Refusal(
      `There is no test step "${selection.name}". Steps: ${stepNames.join(', ')}; \`--quick\` and \`--changed [COMMIT]\` stand alone; a filter for tests comes after \`--\`.`,
      2,
    );
  const reporter = createReporter(process.stdout);
  const tally = await runAll(selection, reporter);
  reporter.say('');
  reporter.say(formatTally(tally));
  process.exitCode = tally.failed > 0 ? 1 : 0;
});

async function runAll({ steps: names, filters, since, quick }, reporter) {
  const scratch = await mkdtemp(join(tmpdir(), 'mars2-test-'));
  // What test files build for each other: for the unit tests and for the learner's, which are runs of their own.
  const runFolder = inProject('node_modules', '.cache', `tests-${process.pid}`);
  process.env.MARS2_TEST_RUN_FOLDER = runFolder;
  try {
    const electron = await ensure(purposesOf(names, quick), reporter);
    const begun = new Map();
    const context = { reporter, scratch, filters, since, electron, begun };
    const startedAt = Date.now();
    for (const name of names) begun.set(name, startEarly(steps[name], context));
    const times = [];
    const failures = [];
    let tally = emptyTally;
    for (const name of names) {
      const stepStartedAt = Date.now();
      reporter.say(`\n== ${steps[name].title}`);
      const result = await runStep(steps[name], context, begun.get(name));
      tally = add(tally, result);
      failures.push(...(result.failures ?? []));
      times.push(
        `${name} ${formatSeconds(Date.now() - stepStartedAt)}${result.failed > 0 ? ` (${result.failed} FAILED)` : ''}`,
      );
    }
    if (failures.length > 0) reporter.say(`\nFailed:\n${failures.join('\n')}`);
    reporter.say(`\n${times.join(' | ')} | all ${formatSeconds(Date.now() - startedAt)}`);
    return tally;
  } catch (error) {
    // A requirement of the tests could not be installed: the reason, and still the line that others read.
    if (!(error instanceof Refusal)) throw error;
    reporter.say(`\n${error.message}`);
    return { ...emptyTally, failed: 1 };
  } finally {
    await Promise.all([scratch, runFolder].map((path) => rm(path, { recursive: true, force: true })));
  }
}

/** Its error is that of the step, when its turn comes. */
function startEarly(step, context) {
  const begun = step.early?.(context);
  begun?.catch(() => {});
  return begun;
}

/** A step that cannot do its work is one failed test; the others are run all the same. */
async function runStep(step, context, begun) {
  try {
    return await step.run(context, begun);
  } catch (error) {
    context.reporter.say(error instanceof Refusal ? error.message : String(error?.stack ?? error));
    return { ...emptyTally, failed: 1 };
  }
}
