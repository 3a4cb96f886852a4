import { PROMISES, type PromiseName } from './promises';
import { brokenIn, type Outcome } from './run-scenario';

const NAMES = Object.keys(PROMISES) as PromiseName[];

/** A row a scenario, a column a promise; then what did not hold, and what was played instead of made to happen. */
export function tableText(outcomes: readonly Outcome[]): string {
  const head = ['scenario', 'what happened', 'faults', ...NAMES, 'seconds'];
  const rows = outcomes.map(({ scenario, missing, faults, ledger, seconds }) => [
    scenario.name,
    scenario.title,
    missing === null ? String(faults) : 'not run',
    ...NAMES.map((name) => cell(ledger, name)),
    seconds.toFixed(0),
  ]);
  const widths = head.map((text, at) => Math.max(text.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  const sections = [
    [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)],
    NAMES.map((name) => `${name}: ${PROMISES[name]}`),
    outcomes.flatMap(({ scenario: { name, simulated }, missing, notes }) => [
      ...(missing === null ? [] : [`${name} was not run: ${missing}`]),
      ...(simulated === null || missing !== null ? [] : [`${name}, simulated: ${simulated}`]),
      ...notes.map((note) => `${name}: ${note}`),
    ]),
    brokenIn(outcomes).map(({ scenario, promise, what }) => `BROKEN ${scenario}, ${promise}: ${what}`),
  ];
  return sections
    .filter((section) => section.length > 0)
    .map((section) => section.join('\n'))
    .join('\n\n');
}

function cell({ checked, broken }: Outcome['ledger'], name: PromiseName): string {
  const failures = broken.filter(({ promise }) => promise === name).length;
  if (failures > 0) return `BROKEN ${failures}`;
  return checked(name) === 0 ? '-' : `ok ${checked(name)}`;
}
