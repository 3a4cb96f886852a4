import { describe, expect, it } from 'vitest';
import { isAtLeast } from '../../scripts/ensure/toolchain.mjs';
import { hasDisplay, optionValue } from '../../scripts/launch-options.mjs';

describe('npm start', () => {
  it.each([
    [['--data', '/a b'], '/a b'],
    [['--data=/a b'], '/a b'],
    [['--other', 'x'], undefined],
  ])('reads the data folder from %j', (args, expected) => {
    expect(optionValue(args, '--data')).toBe(expected);
  });

  it.each([
    [{}, 'linux', false],
    [{ DISPLAY: ':0' }, 'linux', true],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true],
    [{}, 'darwin', true],
  ])('knows a display from %j on %s', (env, platform, expected) => {
    expect(hasDisplay(env, platform)).toBe(expected);
  });
});

describe('a version', () => {
  it.each([
    ['20.18.0', true],
    ['20.17.9', false],
    ['22.0.0', true],
    ['18.20.4', false],
  ])('%s is at least 20.18: %s', (version, expected) => {
    expect(isAtLeast(version, [20, 18])).toBe(expected);
  });
});
