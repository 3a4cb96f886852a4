import { expect, test } from 'vitest';
import { otherVersionText, versionGap } from '../../../../main/app/logic/other-version';

test.each([
  ['0.1.0', '0.1.0', null],
  ['0.1.0+aaaa', '0.1.0+aaaa', null],
  ['0.9.0', '0.10.0', 'older'],
  ['1.0', '0.10.3+aaaa', 'newer'],
  ['0.1.0+aaaa', '0.1.0+bbbb', 'other build'],
  ['0.1.0', '0.1.0+bbbb', 'other build'],
  ['what?', '0.1.0', 'older'],
])('a service of version %s is to %s: %s', (service, own, gap) => {
  expect(versionGap(service, own)).toBe(gap);
});

test('what is of another version says how it is upgraded, or that it is newer; a window has no such command', () => {
  const own = { version: '0.2.0', name: 'this window' };
  const text = (kind: 'service' | 'window', version: string) =>
    otherVersionText({ kind, version }, own, 'mars2 service restart');
  expect(text('service', '0.2.0')).toBe(null);
  expect(text('service', '0.1.0')).toBe(
    'The background service is version 0.1.0, this window is 0.2.0: some things may not work until both are the same. To bring it to this one: mars2 service restart',
  );
  expect(otherVersionText({ kind: 'service', version: '0.1.0' }, own, null)).toMatch(/both are the same\.$/);
  expect(text('window', '0.1.0')).not.toContain('restart');
  expect(text('service', '0.3.0')).toBe(
    'The background service is version 0.3.0, newer than this window (0.2.0): use the workbench of that version.',
  );
});
