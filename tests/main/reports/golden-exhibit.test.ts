import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { GOLDEN_SOURCE, goldenProject } from '../../support/golden-exhibit';
import { temporaryFolder } from '../../support/temporary-folder';

const GOLDEN = join(import.meta.dirname, '../../fixtures/exhibit-exports');
/**
 * Tables with each kind of content in every format that is text, every other one in print and as a wide CSV file, and a figure of
 * each kind: more formats would say the same again, in two megabytes.
 */
const SHOWN = [
  /^manifest\.json$/,
  /^tables\/(exhibit|cell-costs|results|pairs|matched-pairs)\./,
  /^tables\/[^.]*\.(csv|tex|md)$/,
  /^figures\/(bars-pass-1-mcts|results-bars|pass-n-nodes|solves-grid)\.(csv|one-column\.svg)$/,
];

const MASKED = '(masked in this fixture)';

/** Without the letters' shapes, the digests of other files, digests of nothing, and times of the fixture's own clock. */
function readable(name: string, text: string): string {
  if (name !== 'manifest.json') return text.replace(/base64,[^)]+/g, `base64,${MASKED}`);
  const manifest = { ...JSON.parse(text), files: MASKED };
  const masked = /"([0d])\1{63}"|"2026-01-05T[\d:.]+Z"/g;
  return `${JSON.stringify(manifest, null, 2).replace(masked, `"${MASKED}"`)}\n`;
}

/**
 * Each file was read as by somebody who has nothing else: what was measured, on what, how often, which numbers are the
 * paper's and from where, and what can be claimed. After a change, read what `npx vitest run -u` has changed in the same way.
 */
it('every export of an exhibit says by itself what its numbers are', async () => {
  const { reports } = await goldenProject();
  const path = await temporaryFolder();
  const request = { source: GOLDEN_SOURCE, format: 'all', width: 'one-column' } as const;
  const written = await reports.write({ request, path });
  expect(written.ok).toBe(true);
  const names = (await readdir(path, { recursive: true }))
    .filter((name) => SHOWN.some((pattern) => pattern.test(name)))
    .sort();
  expect(names.length).toBeGreaterThan(45);
  for (const name of names) {
    const text = readable(name, await readFile(join(path, name), 'utf8'));
    await expect(text).toMatchFileSnapshot(join(GOLDEN, name));
  }
});

it('of a reproduction whose results are damaged nothing is exported, in no format, and the refusal names the file', async () => {
  const { reports, deps } = await goldenProject();
  const title = 'Metrics of Heter-MARS²';
  const file = { stepId: 'metrics', title, path: '/there/step-9.json', damage: 'it is not JSON' };
  Object.assign(deps.reproductions, { outcomeFiles: async () => [file] });
  const path = join(await temporaryFolder(), 'x');
  const request = { source: GOLDEN_SOURCE, width: 'one-column' } as const;
  const answers = [
    await reports.write({ request: { ...request, format: 'csv' }, path }),
    await reports.write({ request: { ...request, format: 'all' }, path }),
    await reports.writeBundle({ source: GOLDEN_SOURCE, path }),
    await reports.bundleContents(GOLDEN_SOURCE),
  ];
  for (const answer of answers) {
    expect(answer.ok ? '' : answer.error.message).toBe(
      `Nothing is exported: the results of "${title}" cannot be used (/there/step-9.json: it is not JSON).`,
    );
  }
});
