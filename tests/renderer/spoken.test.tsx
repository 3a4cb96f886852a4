import { act } from 'react';
import { expect, test } from 'vitest';
import { NewJobScreen } from '../../renderer/jobs';
import { EstimateTable } from '../../renderer/shared/studies';
import { Palette } from '../../renderer/shell/palette';
import { RouteAnnouncer } from '../../renderer/shell/route-announcer';
import { Dialog, ProgressAnnouncement } from '../../renderer/widgets';
import { SCENES } from '../support/preview/scenes';
import { renderScreen } from '../support/rendered-screen';

// What a screen reader is told; found by listening to Orca (docs/keyboard.md).

const one = (selector: string): Element => document.querySelector(selector) ?? expect.fail(selector);
const statuses = (): string =>
  [...document.querySelectorAll('[role="status"]')].map(({ textContent }) => textContent).join('|');
const press = (target: Element, key: string, more: KeyboardEventInit = {}): Promise<void> =>
  act(async () => {
    target.dispatchEvent(new KeyboardEvent('keydown', { key, code: key, bubbles: true, ...more }));
    await new Promise((done) => setTimeout(done, 50));
  });

test('the field of the palette names the line that the arrows choose, and how many there are is said', async () => {
  const screen = await renderScreen(<Palette onShowKeys={() => {}} onShowTour={() => {}} />, SCENES.finished);
  await press(document.documentElement, 'k', { ctrlKey: true, code: 'KeyK' });
  await expect.poll(() => document.querySelector('[role="combobox"]')).not.toBeNull();
  const field = one('[role="combobox"]');
  const chosen = (): string | null | undefined =>
    document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent;
  await screen.fill('Search the palette', 'stud');
  await expect.poll(statuses).toMatch(/\d+ results/);
  const first = chosen();
  expect(first).toContain('Studies');
  expect(one('[role="option"][aria-selected="true"]').textContent).toBe(first);
  await press(field, 'ArrowDown');
  await expect.poll(chosen).not.toBe(first);
  await screen.fill('Search the palette', 'qqqq');
  await expect.poll(statuses).toContain('No results');
  expect(field.getAttribute('aria-expanded')).toBe('false');
});

test('a dialog is not described by all that stands in it', async () => {
  await renderScreen(
    <Dialog opened onClose={() => {}} title="Export">
      A form
    </Dialog>,
  );
  const described = one('[role="dialog"]').getAttribute('aria-describedby');
  expect(document.getElementById(described ?? '')).toBeNull();
});

test('a rate is heard as a whole, value first, and its picture is not heard', async () => {
  const cell = { value: 0.129, low: 0.083, high: 0.179, basis: '', letters: 'a' };
  await renderScreen(
    <EstimateTable
      label="Comparison"
      columns={[{ id: 'pass', label: 'Pass@1', hint: '' }]}
      facts={[]}
      rows={[{ id: 'one', label: 'single', color: 'red', note: '', cells: [cell], facts: [] }]}
    />,
  );
  const spoken = one('td').cloneNode(true) as Element;
  for (const hidden of spoken.querySelectorAll('[aria-hidden="true"]')) hidden.remove();
  expect(spoken.textContent).toBe('12.9 %, interval 8.3 – 17.9, letters a');
});

test('the end of work is said, its numbers on the way only at every tenth', async () => {
  await renderScreen(
    <>
      <ProgressAnnouncement label="One" share={0.37} end={null} />
      <ProgressAnnouncement label="Two" share={1} end="Finished" />
      <ProgressAnnouncement label="Three" share={0.78} end="Paused" />
    </>,
  );
  expect(statuses()).toBe('One: 30 %|Two: 100 %. Finished|Three: 78 %. Paused');
});

test('a screen whose title comes late is announced with its title', async () => {
  await renderScreen(<RouteAnnouncer path="/studies/one/runs/two" isRun />);
  await act(() => new Promise((done) => setTimeout(done, 500)));
  expect(statuses()).toBe('');
  const main = document.createElement('main');
  main.innerHTML = '<h1>Quickstart</h1>';
  document.body.append(main);
  await expect.poll(statuses).toBe('Quickstart, a run');
});

test('a form that is not complete says how many errors it has, and goes to the first', async () => {
  const screen = await renderScreen(
    <main>
      <NewJobScreen machineId={null} from={null} />
    </main>,
    SCENES.lab,
  );
  screen.control('Start job').focus();
  await screen.click('Start job');
  expect(one('[role="alert"]').textContent).toMatch(/error.* to fix before you can start/);
  await expect.poll(() => document.activeElement?.getAttribute('aria-invalid')).toBe('true');
});
