import { describe, expect, it, vi } from 'vitest';
import { waitForDataFolder } from '../../../main/app/wait-for-folder';
import { failed, ok } from '../../../main/base';

const HELD = { code: 'conflict', message: 'The data folder is in use.', isHeldHere: true } as const;

describe('a data folder that another process of this computer has locked', () => {
  it('is tried until it is open', async () => {
    const open = vi.fn();
    open
      .mockResolvedValueOnce(failed(HELD))
      .mockResolvedValueOnce(failed(HELD))
      .mockResolvedValue(ok('open'));
    expect(await waitForDataFolder(open, 60_000)).toEqual(ok('open'));
    expect(open).toHaveBeenCalledTimes(3);
  });

  it('is refused by its holder’s name once the time is over', async () => {
    const open = vi.fn(async () => failed(HELD));
    expect(await waitForDataFolder(open, 250)).toEqual(failed(HELD));
    expect(open.mock.calls.length).toBeGreaterThan(1);
  });

  it('is refused at once where it is held on another computer, or cannot be opened at all', async () => {
    const open = vi.fn(async () => failed({ code: 'conflict', message: 'It is in use elsewhere.' } as const));
    await waitForDataFolder(open, 60_000);
    expect(open).toHaveBeenCalledTimes(1);
  });
});
