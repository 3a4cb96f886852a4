import type { BrowserWindow } from 'electron';
import { expect, test, vi } from 'vitest';
import { importHandlers } from '../../../main/electron/file-commands';

const chosen = vi.hoisted(() => vi.fn());
vi.mock('electron', () => ({ dialog: { showOpenDialog: chosen } }));

test('an import that is repeated with its unparsed tests marked takes the file that was chosen, and asks for none', async () => {
  chosen.mockResolvedValue({ canceled: false, filePaths: ['/data/own.jsonl'] });
  const call = vi.fn(async () => ({ ok: true, value: null }) as const);
  const choose = importHandlers({} as BrowserWindow, call, null)['import.chooseBenchmark'];
  const request = { format: 'auto', folder: false } as const;
  await choose?.({ ...request, markUnparsed: false });
  await choose?.({ ...request, markUnparsed: true });
  expect(chosen).toHaveBeenCalledOnce();
  expect(call.mock.calls).toEqual(
    [false, true].map((markUnparsed) => [
      'import.benchmark',
      { format: 'auto', path: '/data/own.jsonl', markUnparsed },
      'terminal',
    ]),
  );
});
