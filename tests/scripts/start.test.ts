import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { isConsent, mayInstall } from '../../scripts/ensure/system-packages.mjs';
import { isAtLeast } from '../../scripts/ensure/toolchain.mjs';
import { asksFirst, hasDisplay, optionValue, quickstartArguments } from '../../scripts/launch-options.mjs';

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

  it.each([
    ['on a terminal', [], true, true],
    ['not with --yes', ['--yes'], true, false],
    ['not where nobody can answer', [], false, false],
  ])('asks before it installs system packages: %s', (_, args, isTTY, expected) => {
    expect(asksFirst(args, { isTTY }, { isTTY: true })).toBe(expected);
  });

  it.each([
    ['', true],
    ['Y', true],
    [' yes ', true],
    ['n', false],
    ['what?', false],
  ])('takes the answer "%s" for %s', (answer, expected) => {
    expect(isConsent(answer)).toBe(expected);
  });

  it.each([
    ['an empty answer', '\n', true],
    ['yes', 'y\n', true],
    ['no', 'n\n', false],
    ['no answer at all', '', false],
  ])('shows the line that it would run, once, and takes %s as it is', async (_, typed, expected) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    input.end(typed);
    expect(await mayInstall('sudo apt-get install -y bubblewrap', input, output)).toBe(expected);
    const shown = String(output.read());
    expect(shown.split('sudo apt-get install -y bubblewrap')).toHaveLength(2);
    expect(shown).toContain('--yes: never ask');
  });

  it.each([
    [
      ['--data', '/lab'],
      ['quickstart', '--out', 'quickstart-results', '--data', '/lab'],
    ],
    [[], ['quickstart', '--out', 'quickstart-results']],
  ])('without a display runs the quickstart over the data folder of %j', (args, expected) => {
    expect(quickstartArguments(args)).toEqual(expected);
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
