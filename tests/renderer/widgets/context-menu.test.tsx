import { Portal } from '@mantine/core';
import { act } from 'react';
import { expect, test } from 'vitest';
import { useNodeMenu } from '../../../renderer/run/tree/use-node-menu';
import { useChartMenu } from '../../../renderer/state';
import { DataTable, useContextMenu } from '../../../renderer/widgets';
import { giveElementsSize, menuEntries, openMenuFrom, rightClick } from '../../support/context-menu';
import { renderScreen } from '../../support/rendered-screen';

test('the menu of a table is of the row that the arrows have reached', async () => {
  giveElementsSize();
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
  await openMenuFrom(rows);
  // Nothing but entries is in the menu, and the first has the focus.
  const menu = document.querySelector('[role="menu"]');
  expect(menu?.querySelectorAll('[tabindex]:not([role="menuitem"])')).toHaveLength(0);
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
  await openMenuFrom(document.querySelector('figcaption'));
  expect(screen.controls()).toEqual([
    'Actions of the chart',
    'Copy picture',
    'Save as PNG…',
    'Save as PDF…',
    'Save as CSV…',
  ]);
  await screen.click('Copy picture');
  await expect.poll(() => screen.sample.calls).toContain('picture.copy');
  await openMenuFrom(document.querySelector('figcaption'));
  await screen.click('Save as CSV…');
  expect(screen.sample.calls).toContain('report.choose');
});

function Tree({ cursor }: { readonly cursor: number | null }) {
  const { openNodeMenu, menu } = useNodeMenu({
    name: 'heterogeneous',
    stage: { nodeAt: ({ x }) => (x < 50 ? 3 : null) },
    cursor,
    idPrefix: 'node',
    actionsOf: (index) => [{ label: `Open node ${index}`, run: () => undefined }],
  });
  return (
    <figure onContextMenu={openNodeMenu}>
      <p>nodes</p>
      {menu}
    </figure>
  );
}

test('the menu of a tree is of the node under the pointer, and by the keyboard of the one its arrows have reached', async () => {
  await renderScreen(<Tree cursor={8} />);
  const nodes = document.querySelector('p');
  await rightClick(nodes, { clientX: 400, clientY: 0 });
  expect(menuEntries()).toEqual([]);
  await rightClick(nodes, { clientX: 10, clientY: 0 });
  expect(menuEntries()).toEqual(['Open node 3']);
  await openMenuFrom(nodes);
  expect(menuEntries()).toEqual(['Open node 8']);
});

function Nested() {
  const outer = useContextMenu('Outer');
  return (
    <figure onContextMenu={(event) => outer.openMenu(event, [{ label: 'Remove', run: () => undefined }])}>
      <Portal>
        <p>A dialog</p>
      </Portal>
      {outer.menu}
    </figure>
  );
}

test('a dialog of a row keeps its own context menu, such as that of a field', async () => {
  await renderScreen(<Nested />);
  await rightClick(document.querySelector('p'));
  expect(menuEntries()).toEqual([]);
  await rightClick(document.querySelector('figure'));
  expect(menuEntries()).toEqual(['Remove']);
});
