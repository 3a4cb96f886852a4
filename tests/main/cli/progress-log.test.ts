import { expect, onTestFinished, test, vi } from 'vitest';
import { progressLog } from '../../../main/cli/progress-log';

test('a log has a line of progress only where more than its times has changed, and not too often', () => {
  const printed: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  onTestFinished(() => spy.mockRestore());
  let nowMs = 0;
  const log = progressLog(10_000, () => nowMs);
  for (const [at, line] of [
    [0, '40 % of the time, about 4 min to go: reader'],
    [11_000, '40 % of the time, about 3 min to go: reader'],
    [12_000, '40 % of the time, about 3 min to go: tracer'],
    [13_000, '41 % of the time, about 3 min to go: tracer'],
    [23_000, '1 of 9 searches, 1:01, about 2:05 to go'],
    [34_000, '1 of 9 searches, 1:12, about 1:54 to go'],
  ] as const) {
    nowMs = at;
    log(line);
  }
  expect(printed).toEqual([
    '40 % of the time, about 4 min to go: reader\n',
    '40 % of the time, about 3 min to go: tracer\n',
    '1 of 9 searches, 1:01, about 2:05 to go\n',
  ]);
});
