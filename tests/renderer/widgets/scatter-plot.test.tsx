import { act, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { ScatterPlot } from '../../../renderer/widgets/scatter-plot';
import { giveElementsSize, menuEntries, openMenuFrom, rightClick } from '../../support/context-menu';
import { renderScreen } from '../../support/rendered-screen';

const about = (value: number) => ({ value, low: value - 0.1, high: value + 0.1 });
const plot = (
  <ScatterPlot
    label="Pass@N over AEC"
    xLabel="AEC"
    yLabel="Pass@N, %"
    points={[
      { id: 'b', label: 'b', color: 'red', x: about(2), y: about(0.6) },
      { id: 'a', label: 'a', color: 'blue', x: about(1), y: about(0.5) },
    ]}
    formatY={(value) => `${value * 100}`}
    menu={(id) => [
      ...(id === null ? [] : [{ label: `Open ${id}`, run: () => undefined }]),
      { label: 'Copy picture', run: () => undefined },
    ]}
  />
);
const points = () => document.querySelector('[role="listbox"]');
const press = (key: string) =>
  act(async () => {
    points()?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  });

test('the arrows go from left to right through the points, and the menu is of the one they have reached', async () => {
  giveElementsSize();
  const screen = await renderScreen(plot);
  await screen.until('AEC');
  await openMenuFrom(points());
  expect(menuEntries()).toEqual(['Copy picture']);
  for (const expected of ['a', 'b', 'b']) {
    await press('ArrowRight');
    const reached = document.getElementById(points()?.getAttribute('aria-activedescendant') ?? '');
    expect(reached?.getAttribute('aria-label')).toMatch(new RegExp(`^${expected}: `));
  }
  await openMenuFrom(points());
  expect(menuEntries()).toEqual(['Open b', 'Copy picture']);
});

test('under the pointer the menu is of the point there, and between them of the chart', async () => {
  giveElementsSize();
  const screen = await renderScreen(plot);
  await screen.until('AEC');
  await press('ArrowRight');
  await rightClick(document.querySelector('[data-point="b"] circle'));
  expect(menuEntries()).toEqual(['Open b', 'Copy picture']);
  await rightClick(points());
  expect(menuEntries()).toEqual(['Copy picture']);
});

test('that cannot be drawn takes only itself, and its error is logged', async () => {
  giveElementsSize();
  const reported: unknown[] = [];
  window.addEventListener('error', ({ error }) => reported.push(error), { once: true });
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const broken = { ...plot.props, formatY: () => (1).toFixed(-1) };
  const screen = await renderScreen(
    <>
      <ScatterPlot {...broken} />
      <p>beside it</p>
    </>,
  );
  await screen.until('this chart could not be drawn');
  await screen.until('beside it');
  expect(reported[0]).toBeInstanceOf(RangeError);
  vi.restoreAllMocks();
});

test('that could not be drawn is tried again with other data', async () => {
  giveElementsSize();
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const Grown = () => {
    const [points, setPoints] = useState(plot.props.points.slice(0, 1));
    // One point alone breaks it.
    const formatY = points.length > 1 ? plot.props.formatY : () => (1).toFixed(-1);
    return (
      <>
        <ScatterPlot {...plot.props} points={points} formatY={formatY} />
        <button type="button" onClick={() => setPoints(plot.props.points)}>
          Another point
        </button>
      </>
    );
  };
  const screen = await renderScreen(<Grown />);
  await screen.until('this chart could not be drawn');
  await screen.click('Another point');
  expect(screen.text()).not.toContain('this chart could not be drawn');
  expect(document.querySelectorAll('[data-point]')).toHaveLength(2);
  vi.restoreAllMocks();
});
