// The app's requirements on the operating system, how each is detected, and its Debian package.

/**
 * `program` is looked for on PATH, `library` is a soname looked for among the shared libraries.
 * `optional`: what needs it is left out where it is not. `service`: the package starts a service of the system, so it
 * is never installed where services start.
 * `debian`: the package; `time64`: newer releases renamed it for 64-bit time (a `t64` behind the name).
 */
export const systemNeeds = [
  {
    name: 'bubblewrap',
    program: 'bwrap',
    debian: 'bubblewrap',
    why: 'runs candidate programs in a sandbox',
    for: ['sandbox'],
  },
  { name: 'Xvfb', program: 'Xvfb', debian: 'xvfb', why: 'gives the tests a display', for: ['tests'] },
  { name: 'xauth', program: 'xauth', debian: 'xauth', why: "locks the tests' display", for: ['tests'] },
  {
    name: 'GTK 3',
    library: 'libgtk-3.so.0',
    debian: 'libgtk-3-0',
    time64: true,
    why: 'Electron draws its dialogs with it',
    for: ['window'],
  },
  {
    name: 'NSS',
    library: 'libnss3.so',
    debian: 'libnss3',
    why: 'Electron needs it to start',
    for: ['window'],
  },
  {
    name: 'ALSA',
    library: 'libasound.so.2',
    debian: 'libasound2',
    time64: true,
    why: 'Electron needs it to start',
    for: ['window'],
  },
  {
    name: 'GBM',
    library: 'libgbm.so.1',
    debian: 'libgbm1',
    why: 'Electron needs it to start',
    for: ['window'],
  },
  {
    name: 'DRM',
    library: 'libdrm.so.2',
    debian: 'libdrm2',
    why: 'Electron needs it to start',
    for: ['window'],
  },
  {
    name: 'X11 over XCB',
    library: 'libX11-xcb.so.1',
    debian: 'libx11-xcb1',
    why: 'Electron needs it to start',
    for: ['window'],
  },
  {
    name: 'XScreenSaver',
    library: 'libXss.so.1',
    debian: 'libxss1',
    why: 'Electron needs it to start',
    for: ['window'],
  },
  {
    name: 'ATK bridge',
    library: 'libatk-bridge-2.0.so.0',
    debian: 'libatk-bridge2.0-0',
    time64: true,
    why: 'Electron needs it to start',
    for: ['window'],
  },
  {
    name: 'tmux',
    program: 'tmux',
    debian: 'tmux',
    why: 'the tests look whether terminals outlive a connection',
    for: ['machines'],
    optional: true,
  },
  {
    // The smallest package with all that our tables need: with what it needs itself 150 MB.
    name: 'LaTeX',
    program: 'pdflatex',
    debian: 'texlive-latex-recommended',
    why: 'the tests compile exported tables with it',
    for: ['machines'],
    optional: true,
  },
  {
    name: 'OpenSSH server',
    program: 'sshd',
    debian: 'openssh-server',
    why: 'the tests play a machine with it',
    for: ['machines'],
    optional: true,
    service: true,
  },
  {
    name: 'Slurm',
    program: 'slurmctld',
    debian: 'slurm-wlm',
    why: 'the tests play a cluster with it',
    for: ['machines'],
    optional: true,
    service: true,
  },
  {
    name: 'munge',
    program: 'munged',
    debian: 'munge',
    why: 'Slurm needs it',
    for: ['machines'],
    optional: true,
    service: true,
  },
];

/** `purposes`: a subset of sandbox, window, tests, machines. `has.program(name)` and `has.library(soname)` look at the machine. */
export function missingNeeds(purposes, has) {
  return systemNeeds
    .filter((need) => need.for.some((purpose) => purposes.includes(purpose)))
    .filter((need) => !(need.program ? has.program(need.program) : has.library(need.library)));
}

/** `isKnown(name)`: whether apt could install a package of that name. */
export function debianNames(needs, isKnown) {
  return needs.map(({ debian }) => (isKnown(`${debian}t64`) ? `${debian}t64` : debian));
}

/** Works where no package list has been fetched yet: the renaming came with Debian 13 and Ubuntu 24.04. */
export function hasTime64Names(osRelease) {
  const field = (name) => new RegExp(`^${name}="?([^"\n]*)"?$`, 'm').exec(osRelease)?.[1] ?? '';
  const version = Number.parseFloat(field('VERSION_ID'));
  if (field('ID') === 'debian') return Number.isNaN(version) || version >= 13; // testing and sid carry no number
  if (field('ID') === 'ubuntu') return version >= 24.04;
  return false;
}

export const describeNeeds = (needs) =>
  needs.map(({ name, program, library, why }) => `  ${name} (${program ?? library}): ${why}`).join('\n');
