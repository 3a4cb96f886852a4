import { describe, expect, it } from 'vitest';
import { explainFailure, installedMatches } from '../../scripts/ensure/npm-packages.mjs';

const entry = (version: string) => ({ version, integrity: `sha512-${version}` });
const lock = {
  packages: {
    '': {},
    'node_modules/zod': entry('4.0.0'),
    'node_modules/mac-only': { ...entry('1.0.0'), optional: true },
  },
};

describe('node_modules is taken as it is', () => {
  it('when npm installed what the lock file names', () => {
    expect(installedMatches(lock, { packages: { 'node_modules/zod': entry('4.0.0') } })).toBe(true);
  });

  it('but not with a package of another version', () => {
    expect(installedMatches(lock, { packages: { 'node_modules/zod': entry('3.9.0') } })).toBe(false);
  });

  it('but not with the same version of other content', () => {
    const other = { version: '4.0.0', integrity: 'sha512-other' };
    expect(installedMatches(lock, { packages: { 'node_modules/zod': other } })).toBe(false);
  });

  it('but not with a needed package absent', () => {
    expect(installedMatches(lock, { packages: {} })).toBe(false);
  });
});

describe('a failed npm ci', () => {
  it('is reported with the output of npm and its exit code', () => {
    expect(explainFailure({ code: 7, output: 'npm error code E500\n' })).toMatch(/exit code 7[\s\S]*E500/);
  });

  it('leaves out the pages about npm itself', () => {
    const output =
      'npm error Missing: a@1 from lock file\nnpm error Clean install a project\nnpm error Usage:\n';
    expect(explainFailure({ code: 1, output })).not.toContain('Usage');
  });

  it.each([
    ['npm error code ENOTFOUND', 'out of reach'],
    ['npm error ENOSPC: no space left', 'disk is full'],
    ['npm error code EACCES', 'belong to another user'],
    ['npm error code EUSAGE', 'disagree'],
    ['spawn npm ENOENT', 'npm is installed'],
  ])('comes with advice: %s', (output, advice) => {
    expect(explainFailure({ code: 1, output })).toContain(advice);
  });
});
