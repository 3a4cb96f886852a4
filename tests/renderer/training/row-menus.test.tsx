import { act } from 'react';
import { expect, test } from 'vitest';
import type { TrainingTab } from '../../../renderer/state';
import { TrainingScreen } from '../../../renderer/training';
import { copiedTexts, menuEntries, openMenuFrom } from '../../support/context-menu';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';

const open = (tab: TrainingTab) =>
  renderScreen(
    <TrainingScreen trainingId="training-model" tab={tab} JobLogs={() => null} LogPane={() => null} />,
    SCENES['training-model'],
  );

test("a checkpoint's menu has the actions of its row, and copies where it is", async () => {
  const copied = copiedTexts();
  const screen = await open('checkpoints');
  await screen.until('2 checkpoints on gpu1');
  const rows = document.querySelector('[role="grid"][aria-label="Checkpoints"] [role="rowgroup"]');
  await act(async () => {
    rows?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
  });
  await openMenuFrom(rows);
  expect(menuEntries()).toEqual(['Serve', 'Evaluate on…', 'Compare with…', 'Fetch', 'Copy path', 'Copy id']);
  await screen.click('Copy path');
  expect(copied.join()).toMatch(/\/checkpoints\/small-000020$/);
  await openMenuFrom(rows);
  await screen.click('Fetch');
  expect(screen.sample.calls).toContain('training.fetchCheckpoint');
  await openMenuFrom(rows);
  expect(menuEntries()).not.toContain('Fetch');
  await screen.click('Evaluate on…');
  await screen.until('small-000020');
  expect(document.querySelector('[role="dialog"]')).not.toBeNull();
});

test("a rollout's menu opens the one that it refines, and copies what was asked and answered", async () => {
  const copied = copiedTexts();
  const screen = await open('rollouts');
  await screen.until('node 7 refines node 4');
  const rows = document.querySelector('[role="grid"][aria-label="Rollouts"] [role="rowgroup"]');
  await openMenuFrom(rows);
  expect(menuEntries()[1]).toBe('Open node 4, which it refines');
  await screen.click('Copy answer');
  await openMenuFrom(rows);
  await screen.click('Copy prompt');
  expect(copied).toHaveLength(2);
  expect(copied[0]).not.toBe(copied[1]);
  await openMenuFrom(rows);
  await screen.click('Open node 4, which it refines');
  await screen.until('node 4 refines node 1');
});
