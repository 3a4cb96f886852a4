import { act } from 'react';
import { expect, test } from 'vitest';
import { StudiesScreen } from '../../../renderer/studies';
import { studyColumns } from '../../../renderer/studies/study-columns';
import { renderScreen } from '../../support/rendered-screen';
import { sampleStudyView } from '../../support/sample-study';

test('a study is renamed in the list, where the keyboard then goes on', async () => {
  const hash = window.location.hash;
  const screen = await renderScreen(<StudiesScreen />);
  await screen.until('Studies');
  const rows = document.querySelector<HTMLElement>('[aria-label="Studies"] [role="rowgroup"]');
  await act(async () => {
    rows?.focus();
    rows?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
  });
  await screen.click('Rename…');
  await screen.fill('Name', 'Another name');
  await screen.click('Rename');
  expect(screen.sample.calls).toContain('study.rename');
  expect(screen.controls()).not.toContain('Rename');
  expect(window.location.hash).toBe(hash);
  await expect.poll(() => document.activeElement).toBe(rows);
});

test('a name that is too long for its column is cut before its end, which tells one batch from another', async () => {
  const name = studyColumns(new Set(), () => {}).find(({ id }) => id === 'name');
  const view = sampleStudyView({ name: 'Figure 3, MARTI-MARS²: Homogeneous teams, batch 2 of 2' });
  await renderScreen(name?.cell(view));
  expect(document.querySelector('b > span > :last-child')?.textContent).toBe(' batch 2 of 2');
});
