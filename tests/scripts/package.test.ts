import { describe, expect, it } from 'vitest';
import {
  isNeededFile,
  isNeededOfElectron,
  packagesNamedIn,
  withDependencies,
} from '../../scripts/package/contents.mjs';
import {
  bundleType,
  controlFile,
  debianVersion,
  desktopEntry,
  mimeTypes,
  terminalProgram,
} from '../../scripts/package/descriptions.mjs';
import { licencesText } from '../../scripts/package/licences.mjs';

describe('which npm packages are packed', () => {
  const code = `import { z } from "zod";\nconst at = packages.resolve(\`@fonts/sans/files/\${name}.woff\`);\n// commander`;

  it('those that the built code asks for by name, whole or a file of them', () => {
    expect(packagesNamedIn(code, ['zod', '@fonts/sans', 'commander', 'react'])).toEqual([
      'zod',
      '@fonts/sans',
    ]);
  });

  const lock = {
    packages: {
      '': {},
      'node_modules/a': { dependencies: { b: '1' }, optionalDependencies: { 'a-mac': '1', 'a-linux': '1' } },
      'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
      'node_modules/a-linux': {},
      'node_modules/a-mac': {},
      'node_modules/b': {},
      'node_modules/c': { dependencies: { a: '1' } },
      'node_modules/unused': {},
    },
  };

  it('with all below them, in the version that Node finds, of other platforms none', () => {
    const isInstalled = (path: string) => path !== 'node_modules/a-mac';
    expect(withDependencies(['a'], lock, isInstalled)).toEqual([
      'node_modules/a',
      'node_modules/a-linux',
      'node_modules/a/node_modules/b',
      'node_modules/c',
    ]);
  });

  it.each([
    ['lib/index.js', true],
    ['lib/index.js.map', false],
    ['lib/index.d.ts', false],
    ['lib/index.d.mts', false],
    ['LICENSE.md', true],
  ])('%s of a package: %s', (path, needed) => expect(isNeededFile(path)).toBe(needed));

  it.each([
    ['electron', true],
    ['chrome-sandbox', true],
    ['locales', true],
    ['locales/en-US.pak', true],
    ['locales/de.pak', false],
    ['resources', false],
    ['resources/default_app.asar', false],
    ['LICENSES.chromium.html', true],
  ])('%s of Electron: %s', (path, needed) => expect(isNeededOfElectron(path)).toBe(needed));
});

describe('what dpkg reads', () => {
  const control = controlFile({ version: '1.2.0-beta.1', arch: 'x64', installedKiB: 12 });

  it('has every field on a line of its own, and ends with a line end', () => {
    const fields = [...control.matchAll(/^([A-Z][\w-]+): \S/gm)].map(([, name]) => name);
    expect(fields).toEqual([
      ...['Package', 'Version', 'Architecture', 'Maintainer', 'Installed-Size', 'Depends', 'Recommends'],
      ...['Section', 'Priority', 'Description'],
    ]);
    expect(control).toMatch(/\n$/);
    expect(control).not.toMatch(/\n\n/);
  });

  it('names Python, the sandbox and what a window needs, by the names of old and new releases', () => {
    expect(control).toContain('Architecture: amd64\n');
    for (const name of ['bubblewrap', 'python3', 'libgtk-3-0t64 | libgtk-3-0', 'libnss3'])
      expect(/^Depends: (.*)$/m.exec(control)?.[1]?.split(', ')).toContain(name);
    expect(control).not.toMatch(/xvfb|tmux|slurm/);
  });

  it('sorts a version before the release that it leads to', () => {
    expect(debianVersion('1.2.0-beta.1')).toBe('1.2.0~beta.1');
    expect(debianVersion('1.2.0')).toBe('1.2.0');
  });
});

describe('what desktops read', () => {
  it('the entry opens a file of the type that the package declares', () => {
    const lines = desktopEntry('mars2-workbench').split('\n');
    expect(lines[0]).toBe('[Desktop Entry]');
    expect(lines).toContain('Exec=mars2-workbench %f');
    expect(lines).toContain(`MimeType=${bundleType};`);
    expect(mimeTypes()).toContain(`<mime-type type="${bundleType}">`);
    expect(mimeTypes()).toContain('<glob pattern="*.mars2.zip"');
  });

  it('mars2 in a terminal passes its words on as they are', () => {
    expect(terminalProgram('/opt/it')).toContain('/opt/it/resources/app/out/main/cli.js "$@"');
  });
});

describe('the list of licences', () => {
  const package_ = (name: string, texts: string[]) => ({ name, version: '1.0.0', licence: 'MIT', texts });

  it('names every package once, sorted, with its text, and says where there is none', () => {
    const text = licencesText([package_('zeta', []), package_('alpha', ['Do as you like.'])], '33.2.1');
    expect(text).toMatch(/Electron 33\.2\.1/);
    expect(text.indexOf('alpha 1.0.0\nLicence: MIT\n\nDo as you like.')).toBeGreaterThan(0);
    expect(text.indexOf('zeta 1.0.0')).toBeGreaterThan(text.indexOf('alpha 1.0.0'));
    expect(text).toContain('(The package holds no licence text.)');
  });
});
