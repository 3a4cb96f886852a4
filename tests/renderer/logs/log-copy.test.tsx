import { expect, test } from 'vitest';
import { LogPane } from '../../../renderer/logs/log-pane';
import type { LogSource } from '../../../renderer/state';
import { renderScreen } from '../../support/rendered-screen';

const FROM = 5_000_000_000;
const TEXT = 'the line before the last\nthe newest line\n';
const WHY = '"gpu1" does not answer.';

/** The newest lines of a long log, while its machine is silent: as the workbench gives them from a copy. */
function copiedLog(hasEnd: boolean): LogSource {
  const size = FROM + TEXT.length;
  const leftOut = { from: 0, to: FROM, lines: 0, limitBytes: 2_000_000, isCut: false, isCopy: true };
  const copy = { at: new Date(Date.now() - 3_600_000).toISOString(), hasEnd, why: WHY };
  return {
    read: async (offset) => {
      const start = Math.max(FROM, Math.min(offset, size));
      const elsewhere = start === offset ? {} : { start };
      const text = TEXT.slice(start - FROM);
      return { ok: true, value: { text, ...elsewhere, nextOffset: size, size, leftOut, copy } };
    },
    search: null,
    cancelSearch: () => undefined,
    findLine: null,
    save: null,
  };
}

test.each([
  [false, 'It may lack the end of the log.'],
  [true, 'It has the end of the log.'],
])('a copy of a log says why it is shown, how old it is and what it lacks', async (hasEnd, said) => {
  // The log had grown far beyond the copy when the machine fell silent.
  const screen = await renderScreen(
    <LogPane label="Output" source={copiedLog(hasEnd)} size={FROM + 900_000_000} live={false} />,
  );
  await screen.until(WHY);
  expect(screen.text()).toContain(`copy of the log's newest part on this computer. ${said}`);
  expect(screen.text()).toMatch(/Copied 1 h ago/);
  expect(screen.text()).toContain('The first 5 GB of this log are not in the copy, which has at most 2 MB.');
  await screen.click('Show as plain text');
  expect(document.querySelector('textarea')?.value).toContain('the line before the last\nthe newest line');
});
