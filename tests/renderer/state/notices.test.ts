import { expect, test } from 'vitest';
import { createNotices } from '../../../renderer/state/notices';

test('the notice of a written file has a button that shows it in its folder', () => {
  const shown: string[] = [];
  const notices = createNotices({
    reportProblem: () => undefined,
    showInFolder: (path) => void shown.push(path),
  });
  notices.showWritten('Exported the table: 3 rows in /results/table.csv', '/results/table.csv');
  const [notice] = notices.store.getState();
  expect(notice).toMatchObject({ level: 'info', action: { label: 'Show in folder' } });
  notice?.action?.run();
  expect(shown).toEqual(['/results/table.csv']);
});
