import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../main/base/index';
import { bundleArgument } from '../../../main/electron/bundle-argument';
import { openBundle } from '../../../main/electron/open-bundle';
import type { Answer, WorkbenchEvent } from '../../../preload/contract/index';

describe('the bundle that a start names', () => {
  it.each([
    ['the only word', ['/home/a/b.mars2.zip'], '/home/a/b.mars2.zip'],
    ['a relative path, from where the app was started', ['b.mars2.zip'], '/here/b.mars2.zip'],
    ['behind options', ['--no-sandbox', '--data', '/d', 'b.ZIP'], '/here/b.ZIP'],
    ['none', ['--data', '/d'], null],
    ['an option that looks like a file', ['--log=b.zip'], null],
    ['a path that no system has', [`/${'a'.repeat(5_000)}.zip`], null],
    ['a word behind a thousand others', [...Array<string>(1_000).fill('x'), 'b.zip'], null],
  ])('%s', (_title, words, path) => expect(bundleArgument(words, '/here')).toBe(path));
});

async function opened(answer: Answer<unknown>) {
  const events = new Emitter<WorkbenchEvent>();
  const seen: WorkbenchEvent[] = [];
  const calls: unknown[] = [];
  events.on((event) => seen.push(event));
  await openBundle('/b.mars2.zip', {
    call: async (...words) => {
      calls.push(words);
      return answer;
    },
    events,
    goTo: (path) => events.emit({ kind: 'go-to', path }),
  });
  return { seen, calls };
}

describe('a bundle that the system asks to open', () => {
  const value = { name: 'tiny', studyIds: ['s 1'], reproductionIds: [], differing: [], tables: 2 };

  it('is opened, and its first study shown', async () => {
    const { seen, calls } = await opened({ ok: true, value });
    expect(calls).toEqual([['bundle.open', { path: '/b.mars2.zip' }, 'terminal']]);
    expect(seen).toEqual([
      { kind: 'notice', level: 'info', message: 'Opened tiny, read-only.' },
      { kind: 'go-to', path: '/studies/s%201' },
    ]);
  });

  it('says so where a table came out differently, and shows the reproduction', async () => {
    const { seen } = await opened({
      ok: true,
      value: { ...value, reproductionIds: ['r1'], differing: ['main'] },
    });
    expect(seen[0]).toMatchObject({ level: 'error', message: expect.stringContaining('differ') });
    expect(seen[1]).toEqual({ kind: 'go-to', path: '/reproductions/r1' });
  });

  it('that cannot be opened leads nowhere, and says why', async () => {
    const { seen } = await opened({
      ok: false,
      error: { code: 'bad-input', message: 'It is no bundle.', hint: 'Choose another.' },
    });
    expect(seen).toEqual([{ kind: 'notice', level: 'error', message: 'It is no bundle. Choose another.' }]);
  });
});
