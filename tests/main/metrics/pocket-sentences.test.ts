import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CONTROL_SENTENCE, POCKET_CHIPS } from '../../../preload/contract/plans';

/** The cells of the line of a Markdown table that begins like this, in the first table that has one. */
function lineOf(text: string, start: string): string[] {
  const line = text.split('\n').find((one) => one.startsWith(`| ${start} |`)) ?? '';
  return line.split('|').map((cell) => cell.trim());
}

test('what is said of the control is what docs/pocket.md measured', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/pocket.md'), 'utf8');
  const measured = docs.slice(docs.indexOf('### Measured'));
  const [, , , aloneControl = '', , teamControl = ''] = lineOf(measured, 'GRPO, all-wrong groups count');
  const [, , , aloneTeam = '', , teamTeam = ''] = lineOf(measured, 'Heter-MARS²');
  const number = (cell: string): string => `${cell.split(' ')[0]} %`;
  expect(CONTROL_SENTENCE).toContain(
    `a team of reader and tracer solves ${number(teamTeam)} of the problems after Heter-MARS²`,
  );
  expect(CONTROL_SENTENCE).toContain(
    `${number(teamControl)} after a control without collaboration, GRPO, all-wrong groups count`,
  );
  expect(CONTROL_SENTENCE).toContain(
    `An agent alone (mean of both) solves ${number(aloneTeam)} after Heter-MARS² and ${number(aloneControl)} after the control`,
  );
  const [, , , alone = '', , team = ''] = lineOf(measured, 'Heter-MARS² − GRPO, all-wrong groups count');
  expect(team).toBe('+0.2 [−5.6, 5.6] p 1');
  expect(CONTROL_SENTENCE).toContain(
    'no significant difference (0.2 points, 95 % interval −5.6 to 5.6, p = 1)',
  );
  const [, ...difference] = /^(−[\d.]+) \[(−[\d.]+), (−[\d.]+)\] p ([.\d]+)$/.exec(alone) ?? [];
  expect(CONTROL_SENTENCE).toContain(
    `no significant difference either (${difference[0]} points, 95 % interval ${difference[1]} to ${difference[2]}, p = 0${difference[3]})`,
  );
});

test('a line under a table has no percent of another study, which would be read as one of the table', () => {
  expect(POCKET_CHIPS).toHaveLength(2);
  expect(POCKET_CHIPS.join()).not.toMatch(/[0-9]|docs\//);
});
