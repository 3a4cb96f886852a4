import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inProject } from '../../scripts/project.mjs';
import { failuresOfPlaywright, failuresOfVitest } from '../../scripts/testing/failures.mjs';

/** Real reports of the real runners, over tests that fail. They lie in the project, for its packages. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(inProject('tests', 'scripts', 'failing-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const reportOf = async (args: readonly string[], env: NodeJS.ProcessEnv, report: string) => {
  const run = promisify(execFile)(process.execPath, args, {
    cwd: inProject(),
    env: { ...process.env, ...env },
  });
  await run.catch(() => null);
  return JSON.parse(await readFile(report, 'utf8'));
};

describe('the failures listed at the end of npm test', () => {
  test('name file, title and first line of the reason of each failed unit test', async () => {
    const config = join(folder, 'vitest.config.mjs');
    await writeFile(config, `export default { test: { include: ['${folder}/*.sum.mjs'] } };`);
    await writeFile(
      join(folder, 'one.sum.mjs'),
      `import { expect, test } from 'vitest';
       test('adds', () => expect(1 + 1).toBe(3));
       test('is fine', () => expect(1).toBe(1));`,
    );
    await writeFile(join(folder, 'two.sum.mjs'), 'import "./missing.mjs";');
    await writeFile(
      join(folder, 'zzz.sum.mjs'),
      `import { test } from 'vitest';
       test('sleeps', () => new Promise(() => {}), 50);`,
    );
    const out = join(folder, 'unit.json');
    const args = [inProject('node_modules/vitest/vitest.mjs'), 'run', '--config', config];
    const report = await reportOf([...args, '--reporter=json', `--outputFile=${out}`], {}, out);
    const failures = failuresOfVitest(report).sort();
    expect(failures).toHaveLength(3);
    expect(failures[2]).toMatch(/zzz\.sum\.mjs: sleeps\n {4}It did not end in time\.$/);
    expect(failures[0]).toMatch(/one\.sum\.mjs: adds\n {4}.*expected 2 to be 3/);
    expect(failures[1]).toMatch(/two\.sum\.mjs: the file could not be run\n {4}.*missing\.mjs/);
  });

  test('name those of the window too, also in nested groups', async () => {
    const config = join(folder, 'playwright.config.mjs');
    await writeFile(config, `export default { testDir: '${folder}', testMatch: '*.window.mjs' };`);
    await writeFile(
      join(folder, 'one.window.mjs'),
      `import { expect, test } from '@playwright/test';
       test.describe('a group', () => { test('opens', () => expect(1).toBe(2)); test('closes', () => {}); });`,
    );
    const out = join(folder, 'e2e.json');
    const args = [
      inProject('node_modules/@playwright/test/cli.js'),
      'test',
      '--config',
      config,
      '--reporter=json',
    ];
    const report = await reportOf(args, { PLAYWRIGHT_JSON_OUTPUT_FILE: out }, out);
    const failures = failuresOfPlaywright(report);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatch(/one\.window\.mjs: opens\n {4}.*toBe/);
  });

  test('are none where there is no report', () => {
    expect([failuresOfVitest(undefined), failuresOfPlaywright(undefined)]).toEqual([[], []]);
  });
});
