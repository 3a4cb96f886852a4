import { act } from 'react';
import { expect, test } from 'vitest';
import { LogPane } from '../../../renderer/logs/log-pane';
import type { LogSource } from '../../../renderer/state';
import { renderScreen } from '../../support/rendered-screen';

/** Longer than what is loaded at first, which is its end. */
const LOG = `${'epoch of a long training\n'.repeat(60_000)}loss 0.4\nerror: out of memory\nloss 0.3\n`;
const SIZE = LOG.length;

function longLog(searched: string[]): LogSource {
  return {
    read: async (offset, maxBytes) => {
      const text = LOG.slice(offset, offset + maxBytes);
      return { ok: true, value: { text, nextOffset: offset + text.length, size: SIZE } };
    },
    search: async (text) => {
      searched.push(text);
      return {
        ok: true,
        value: { matches: [{ offset: 9, line: 2, text: 'error: no GPU' }], isComplete: true },
      };
    },
    cancelSearch: () => undefined,
    findLine: null,
    save: null,
  };
}

const pressEnter = () =>
  act(async () => {
    const field = document.querySelector('[aria-label="Find in log"]');
    field?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  });

test('Enter goes to the matches in view, and behind the last of them on into the whole log', async () => {
  const searched: string[] = [];
  const screen = await renderScreen(
    <LogPane label="Output" source={longLog(searched)} size={SIZE} live={false} />,
  );
  await screen.fill('Find in log', 'error');
  await screen.until('1 line');
  await pressEnter();
  await screen.until('1 of 1');
  expect(searched).toEqual([]);
  await pressEnter();
  await screen.until('1 line with “error”');
  expect(searched).toEqual(['error']);
});

test('Enter without a match in view searches the whole log', async () => {
  const searched: string[] = [];
  const screen = await renderScreen(
    <LogPane label="Output" source={longLog(searched)} size={SIZE} live={false} />,
  );
  await screen.fill('Find in log', 'GPU');
  await screen.until('no match in view');
  await pressEnter();
  await screen.until('1 line with “GPU”');
  expect(searched).toEqual(['GPU']);
});

test('a find box that is emptied closes the matches of its search', async () => {
  const screen = await renderScreen(<LogPane label="Output" source={longLog([])} size={SIZE} live={false} />);
  await screen.fill('Find in log', 'GPU');
  await screen.until('no match in view');
  await pressEnter();
  await screen.until('1 line with “GPU”');
  await screen.fill('Find in log', '');
  expect(screen.text()).not.toContain('1 line with “GPU”');
  expect(screen.controls()).not.toContain('Close the matches');
});
