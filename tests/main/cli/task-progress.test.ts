import { expect, test } from 'vitest';
import { taskLine } from '../../../main/cli/task-progress';

test('a small file is read in kB, a large one in MB', () => {
  const event = { kind: 'progress', task: 'import', activity: 'reading', unit: 'bytes' } as const;
  expect(taskLine({ ...event, done: 12_300, total: 44_877 })).toBe('reading: 12.3 of 44.9 kB');
  expect(taskLine({ ...event, done: 12_300, total: 512_000_000 })).toBe('reading: 0.0 of 512.0 MB');
});
