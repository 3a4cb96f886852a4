import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type App, launchApp } from './support/app';
import { temporaryPocketData } from './support/pocket-data';
import { untilFinished } from './support/studies';

async function goTo(app: App, address: string): Promise<void> {
  await app.page.evaluate((hash) => {
    window.location.hash = hash;
  }, address);
}

test('a damaged journal is shown as far as it can be trusted, is not resumed, and goes on once repaired', async () => {
  const data = await temporaryPocketData({ study: true });
  const folder = data.dataDir;
  try {
    const [studyId = ''] = await readdir(join(folder, 'studies'));
    const journals = join(folder, 'studies', studyId);
    const name = (await readdir(journals)).find((file) => file.includes('.single.'));
    if (name === undefined) throw new Error('the study has no journal of its single agent');
    const path = join(journals, name);
    const runId = name.replace(/\.jsonl$/, '');
    const bytes = await readFile(path);
    const third = bytes.indexOf('\n', bytes.indexOf('\n') + 1) + 1;
    bytes[third + 100] = (bytes[third + 100] ?? 0) ^ 1;
    await writeFile(path, bytes);

    const again = await launchApp(folder);
    // The first screen knows it before anybody has opened the study.
    await expect(again.page.getByText('Damaged', { exact: true }).first()).toBeVisible();
    await expect(again.page.getByRole('button', { name: /^Repair: / })).toBeVisible();
    await expect(again.page.getByText('Pass@N, N =')).toHaveCount(0);
    // What is before the damage is there, and the journal's line is named.
    await goTo(again, `/studies/${studyId}/runs/${runId}`);
    await expect(again.page.getByText(/is damaged at line 3/).first()).toBeVisible();
    await expect(again.page.getByText('has not started')).toHaveCount(0);
    const events = await again.page.evaluate(
      (id) => window.workbench.call('run.events', { runId: id }),
      runId,
    );
    expect(events.ok ? events.value.length : 0).toBeGreaterThan(1);
    // The table says that something is left out of it.
    await goTo(again, `/studies/${studyId}`);
    await expect(again.page.getByText(/Part of the run single, seed \d+ is missing/).first()).toBeVisible();

    // So does a comparison, in each of its tabs.
    await goTo(again, `/compare/${studyId}?view=problems`);
    await expect(
      again.page.getByText(/Part of the run single, seed \d+ is missing.*repair it/),
    ).toBeVisible();
    await goTo(again, `/studies/${studyId}`);

    // It is not written to, with words on how to go on.
    await again.page.evaluate((id) => window.workbench.call('study.start', { studyId: id }), studyId);
    await expect
      .poll(async () => {
        const list = await again.page.evaluate(() => window.workbench.call('study.list', {}));
        return list.ok ? list.value[0]?.state : null;
      })
      .toMatchObject({ kind: 'failed', hint: expect.stringContaining('repair it') });
    expect(await readFile(path)).toEqual(bytes);

    // The window repairs it after saying what that does, and shows where the damaged file is.
    await again.page.getByRole('button', { name: 'Repair', exact: true }).first().click();
    const confirmation = again.page.getByRole('dialog');
    await expect(confirmation).toContainText('The damaged file is kept next to it');
    await confirmation.getByRole('button', { name: 'Repair', exact: true }).click();
    const repairNote = again.page.getByText(/Repaired the journal of single/).first();
    await expect(repairNote).toBeVisible();
    const movedTo = /The damaged file was moved to (.+)$/.exec(
      ((await repairNote.textContent()) ?? '').trim(),
    )?.[1];
    expect(await readFile(movedTo ?? 'not in the notice')).toEqual(bytes);
    await again.page.evaluate((id) => window.workbench.call('study.start', { studyId: id }), studyId);
    await untilFinished(again.page, studyId);
    const outcomes = await again.page.evaluate(
      (id) => window.workbench.call('study.outcomes', { studyId: id }),
      studyId,
    );
    expect(outcomes.ok && outcomes.value.runs.map(({ problem, finished }) => [problem, finished])).toEqual([
      [null, true],
      [null, true],
      [null, true],
      [null, true],
    ]);
    await again.close();
  } finally {
    await data.remove();
  }
});
