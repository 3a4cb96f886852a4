import { expect, test } from 'vitest';
import { LogPane } from '../../../renderer/logs/log-pane';
import type { LogSource } from '../../../renderer/state';
import { renderScreen } from '../../support/rendered-screen';

const LEFT_OUT = { from: 30, to: 5_200_000_030, lines: 1_234_567, limitBytes: 1_000_000_000, isCut: false };
const HEAD = 'the first line\nthe second one\n';
const TAIL = 'the line behind\nthe newest line\n';

/** A log of which all but two lines at each end was left out. */
function limitedLog(isCut: boolean): LogSource {
  const leftOut = { ...LEFT_OUT, isCut };
  const size = leftOut.to + TAIL.length;
  return {
    read: async (offset) => {
      if (offset < leftOut.from) {
        return { ok: true, value: { text: HEAD.slice(offset), nextOffset: leftOut.from, size, leftOut } };
      }
      const start = Math.max(offset, leftOut.to);
      const text = TAIL.slice(start - leftOut.to);
      const elsewhere = start === offset ? {} : { start };
      return { ok: true, value: { text, ...elsewhere, nextOffset: size, size, leftOut } };
    },
    search: null,
    cancelSearch: () => undefined,
    findLine: null,
    save: null,
  };
}

const pane = (isCut: boolean) =>
  renderScreen(
    <LogPane label="Output" source={limitedLog(isCut)} size={LEFT_OUT.to + TAIL.length} live={false} />,
  );

test('a log of which a part was left out says so, how much, and what is there', async () => {
  const screen = await pane(false);
  await screen.until('5.2 GB in the middle of this log were deleted, because it reached its limit of 1 GB.');
  expect(screen.text()).toContain('Its beginning and its newest lines are kept.');
  expect(screen.text()).not.toContain('may be missing');
  await screen.click('Go there');
  await screen.click('Show as plain text');
  const shown = document.querySelector('textarea')?.value ?? '';
  expect(shown).toBe(
    'the first line\nthe second one\n[5.2 GB (1,234,567 lines) deleted here: this log reached its limit of 1 GB]\nthe line behind\nthe newest line',
  );
});

test('it says more where the disk could only cut the log', async () => {
  const screen = await pane(true);
  await screen.until('some later lines may be missing too');
});
