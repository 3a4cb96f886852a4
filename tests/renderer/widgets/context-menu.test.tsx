import { act } from 'react';
import { expect, onTestFinished, test } from 'vitest';
import { useChartMenu } from '../../../renderer/state';
import { DataTable, useContextMenu } from '../../../renderer/widgets';
import { renderScreen } from '../../support/rendered-screen';

/** As Shift+F10 does: the event comes from what has the focus, and has no place of the pointer. */
async function openFrom(element: Element | null): Promise<void> {
  await act(async () => {
    element?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
  });
}

test('the menu of a table is of the row that the arrows have reached', async () => {
  // happy-dom gives nothing a width, and a table draws no row before it knows its own.
  const { offsetWidth, offsetHeight } = Object.getOwnPropertyDescriptors(HTMLElement.prototype);
  Object.defineProperties(HTMLElement.prototype, {
    offsetWidth: { configurable: true, get: () => 600 },
    offsetHeight: { configurable: true, get: () => 300 },
  });
  onTestFinished(() => {
    Object.defineProperties(HTMLElement.prototype, {
      ...(offsetWidth && { offsetWidth }),
      ...(offsetHeight && { offsetHeight }),
    });
  });
  const pressed: string[] = [];
  const screen = await renderScreen(
    <DataTable
      label="Letters"
      columns={[{ id: 'letter', label: 'Letter', track: '1fr', cell: (letter: string) => letter }]}
      rows={['a', 'b', 'c']}
      rowKey={(letter) => letter}
      rowLabel={(letter) => letter}
      rowActions={(letter) => [{ label: `Copy ${letter}`, run: () => pressed.push(letter) }]}
    />,
  );
  const rows = document.querySelector('[role="rowgroup"]');
  for (const _ of ['a', 'b']) {
    await act(async () => {
      rows?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    });
  }
  // The row is said: the focus stays with the rows as a whole.
  expect(document.querySelector('[role="status"]')?.textContent).toBe('b');
  if (rows instanceof HTMLElement) rows.focus();
  await openFrom(rows);
  await screen.click('Copy b');
  expect(pressed).toEqual(['b']);
  expect(document.activeElement).toBe(rows);
});

function Chart() {
  const menu = useChartMenu('Pass@N', {
    source: { kind: 'study', studyId: 'study-1' },
    measure: 'pass@1(mcts)',
    axis: 'nodes',
  });
  const context = useContextMenu('Actions of the chart');
  return (
    <figure onContextMenu={(event) => context.openMenu(event, menu(event.currentTarget))}>
      <figcaption>Pass@N</figcaption>
      {context.menu}
    </figure>
  );
}

test('the menu of a chart copies its picture and saves the files of its figure', async () => {
  const screen = await renderScreen(<Chart />);
  await openFrom(document.querySelector('figcaption'));
  expect(screen.controls()).toEqual([
    'Actions of the chart',
    'Copy picture',
    'Save as PNG…',
    'Save as PDF…',
    'Save as CSV…',
  ]);
  await screen.click('Copy picture');
  await expect.poll(() => screen.sample.calls).toContain('picture.copy');
  await openFrom(document.querySelector('figcaption'));
  await screen.click('Save as CSV…');
  expect(screen.sample.calls).toContain('report.choose');
});
