import { describe, expect, it } from 'vitest';
import { debianNames, hasTime64Names, missingNeeds } from '../../scripts/ensure/system-needs.mjs';

interface Machine {
  program: (name: string) => boolean;
  library: (soname: string) => boolean;
}

const nothingThere: Machine = { program: () => false, library: () => false };
const namesOf = (purposes: string[], has: Machine = nothingThere) =>
  missingNeeds(purposes, has).map((need: { name: string }) => need.name);

describe('what the operating system has to give', () => {
  it('is nothing for a command that neither grades nor shows', () => {
    expect(namesOf([])).toEqual([]);
  });

  it('is bubblewrap alone for grading in a terminal', () => {
    expect(namesOf(['sandbox'])).toEqual(['bubblewrap']);
  });

  it('leaves Xvfb out where only a window is wanted', () => {
    expect(namesOf(['sandbox', 'window'])).not.toContain('Xvfb');
  });

  it('lets a test run continue without what only some tests need', () => {
    const needs = missingNeeds(['machines'], nothingThere) as { name: string; optional?: boolean }[];
    expect(needs.map(({ name }) => name)).toEqual(['tmux', 'LaTeX', 'OpenSSH server', 'Slurm', 'munge']);
    expect(needs.every(({ optional }) => optional)).toBe(true);
  });

  it('names only what is really absent', () => {
    const has = { program: () => true, library: (soname: string) => soname !== 'libnss3.so' };
    expect(namesOf(['sandbox', 'window', 'tests'], has)).toEqual(['NSS']);
  });
});

describe('the Debian name of a package', () => {
  const gtk = missingNeeds(['window'], nothingThere).filter(
    (need: { debian: string }) => need.debian === 'libgtk-3-0',
  );

  it('carries t64 where the release renamed it', () => {
    expect(debianNames(gtk, (name: string) => name === 'libgtk-3-0t64')).toEqual(['libgtk-3-0t64']);
  });

  it('is the old one elsewhere', () => {
    expect(debianNames(gtk, () => false)).toEqual(['libgtk-3-0']);
  });

  it.each([
    ['ID=debian\nVERSION_ID="12"\n', false],
    ['ID=debian\nVERSION_ID="13"\n', true],
    ['PRETTY_NAME="Debian GNU/Linux forky/sid"\nID=debian\n', true],
    ['ID=ubuntu\nVERSION_ID="22.04"\n', false],
    ['ID=ubuntu\nVERSION_ID="24.04"\n', true],
    ['ID=fedora\nVERSION_ID=41\n', false],
    ['', false],
  ])('is chosen by the release before any package list exists: %j', (osRelease, expected) => {
    expect(hasTime64Names(osRelease)).toBe(expected);
  });
});
