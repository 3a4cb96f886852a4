// What `npm run faults` runs, bundled: node SCRIPT PROJECT CHECKPOINTS SEED MINUTES [NAME ...]. Prints a line as each scenario
// ends and the table at the end; exit code 1 if a promise is broken, or could not be tried because the minutes were over.
import { brokenIn, type Outcome, runScenario } from './harness/run-scenario';
import { openSite } from './harness/site';
import { tableText } from './harness/table';
import { scenarios } from './scenarios';

const [project = '', checkpoints = '', seed = '1', minutes = '15', ...names] = process.argv.slice(2);
const unknown = names.filter((name) => !scenarios.some((scenario) => scenario.name === name));
if (unknown.length > 0) {
  const known = scenarios.map(({ name }) => name).join(', ');
  process.stderr.write(`There is no scenario "${unknown.join('", "')}". Scenarios: ${known}.\n`);
  process.exit(2);
}
const chosen = scenarios.filter(({ name }) => names.length === 0 || names.includes(name));
const site = await openSite(project, checkpoints);
const end = async (): Promise<void> => {
  await site.dispose();
  process.exit(130);
};
process.once('SIGINT', () => void end());
process.once('SIGTERM', () => void end());
const secondsLeft = (): number => 60 * Number(minutes) - performance.now() / 1_000;
const outcomes: Outcome[] = [];
try {
  for (const scenario of chosen) {
    process.stderr.write(`${scenario.name}: ${scenario.title} ...\n`);
    const outcome = await runScenario(scenario, { site, seed: Number(seed), secondsLeft });
    outcomes.push(outcome);
    for (const { promise, what } of brokenIn([outcome]))
      process.stderr.write(`  BROKEN ${promise}: ${what}\n`);
    const done = `${outcome.faults} faults in ${outcome.seconds.toFixed(0)} s`;
    process.stderr.write(`  ${outcome.missing === null ? done : `not run: ${outcome.missing}`}\n`);
  }
} finally {
  await site.dispose();
}
process.stdout.write(`\nSeed ${seed} (the same faults again: --seed ${seed})\n\n${tableText(outcomes)}\n`);
const isProven = outcomes.every(({ isLate }) => !isLate);
process.exitCode = isProven && brokenIn(outcomes).length === 0 ? 0 : 1;
