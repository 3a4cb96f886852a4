import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { launchApp, temporaryData } from './support/app';

test('a run whose journal is damaged says so, with its line, and shows no empty tree instead', async () => {
  const data = await temporaryData();
  const folder = join(data.path, 'data');
  try {
    const app = await launchApp(folder);
    const started = await app.page.evaluate(() =>
      window.workbench.call('quickstart.start', { problems: 1, nodes: 2 }),
    );
    if (!started.ok) throw new Error(started.error.message);
    const { studyId } = started.value;
    await expect
      .poll(
        async () => {
          const list = await app.page.evaluate(() => window.workbench.call('study.list', {}));
          return list.ok ? list.value[0]?.state.kind : list.error.message;
        },
        { timeout: 120_000 },
      )
      .toBe('finished');
    await app.close();

    const journals = join(folder, 'studies', studyId);
    const name = (await readdir(journals)).find((file) => file.includes('.single.'));
    if (name === undefined) throw new Error('the study has no journal of its single agent');
    const lines = (await readFile(join(journals, name), 'utf8')).split('\n');
    lines[2] = '{"kind":';
    await writeFile(join(journals, name), lines.join('\n'));

    const again = await launchApp(folder);
    await again.page.evaluate(
      ([study, run]) => {
        window.location.hash = `/studies/${study}/runs/${run}`;
      },
      [studyId, name.replace(/\.jsonl$/, '')],
    );
    await expect(again.page.getByText('The journal of this run could not be read')).toBeVisible();
    await expect(again.page.getByText(/is damaged at line 3/).first()).toBeVisible();
    await expect(again.page.getByText('has not begun')).toHaveCount(0);
    await again.close();
  } finally {
    await data.remove();
  }
});
