import { act } from 'react';
import { expect, test } from 'vitest';
import { WideTable } from '../../../renderer/widgets';
import { renderScreen } from '../../support/rendered-screen';

/** happy-dom lays nothing out: a table of this width in a place of 300 pixels. */
async function tableOf(width: number): Promise<Element> {
  await renderScreen(
    <WideTable label="Results" className={undefined}>
      <tbody />
    </WideTable>,
  );
  const box = document.querySelector('table')?.parentElement;
  if (box == null) throw new Error('there is no table');
  Object.defineProperties(box, { scrollWidth: { value: width }, clientWidth: { value: 300 } });
  await scrolled(box, 0);
  return box;
}

async function scrolled(box: Element, left: number): Promise<void> {
  await act(async () => {
    box.scrollLeft = left;
    box.dispatchEvent(new Event('scroll'));
  });
}

const edges = (box: Element): readonly string[] =>
  Object.keys((box.parentElement as HTMLElement).dataset).sort();

test('a table that fits is no stop of the keyboard and has no shadow', async () => {
  const box = await tableOf(300);
  expect(box.getAttribute('tabindex')).toBeNull();
  expect(box.getAttribute('role')).toBeNull();
  expect(edges(box)).toEqual([]);
});

test('a wider one is a named region that the keyboard reaches, with a shadow where there is more', async () => {
  const box = await tableOf(900);
  expect(box.getAttribute('tabindex')).toBe('0');
  expect(box.getAttribute('role')).toBe('region');
  expect(box.getAttribute('aria-label')).toBe('Results, scrolls sideways');
  expect(edges(box)).toEqual(['right']);
  for (const [left, shadows] of [
    [100, ['left', 'right']],
    [600, ['left']],
  ] as const) {
    await scrolled(box, left);
    expect(edges(box)).toEqual(shadows);
  }
});
