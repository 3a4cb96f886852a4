// The texts of a package that systems read. Pure functions.
import { systemNeeds } from '../ensure/system-needs.mjs';

/** The name of package, command, icon and desktop entry. */
export const packageName = 'mars2-workbench';
export const installedAt = `/opt/${packageName}`;
const title = 'MARS² Workbench';
const summary = 'Workbench for multi-agent reinforcement learning for code generation';

/** Debian's and Ubuntu's names for Node's processors. */
const architectures = { x64: 'amd64', arm64: 'arm64' };
export const architectureOf = (arch) => architectures[arch];

export function dependencies() {
  const needed = systemNeeds.filter(({ for: purposes }) =>
    purposes.some((purpose) => purpose === 'sandbox' || purpose === 'window'),
  );
  const names = needed.map(({ debian, time64 }) => (time64 ? `${debian}t64 | ${debian}` : debian));
  return [...names, 'python3', 'xdg-utils'].sort();
}

/** Debian's control file. `version` is package.json's, `installedKiB` what the files take. */
export const controlFile = ({ version, arch, installedKiB }) =>
  `Package: ${packageName}
Version: ${debianVersion(version)}
Architecture: ${architectureOf(arch)}
Maintainer: MARS2 Workbench <mars2-workbench@localhost>
Installed-Size: ${installedKiB}
Depends: ${dependencies().join(', ')}
Recommends: openssh-client, libsecret-1-0, libnotify4
Section: science
Priority: optional
Description: ${summary}
 Runs tree searches with one agent, one model in several roles, or different
 models together, trains them, shows all of it live, and reproduces tables and
 figures of MARS2 and MARTI-MARS2.
`;

/** "1.0.0-beta.1" comes before "1.0.0": dpkg says so with a tilde. */
export const debianVersion = (version) => version.replace('-', '~');

/** `command`: what the entry starts. A file that is opened with it comes behind. */
export const desktopEntry = (command) =>
  `[Desktop Entry]
Type=Application
Name=${title}
GenericName=Experiment workbench
Comment=${summary}
Exec=${command} %f
Icon=${packageName}
Terminal=false
Categories=Science;
MimeType=${bundleType};
StartupNotify=true
StartupWMClass=${title}
`;

export const bundleType = 'application/vnd.mars2-workbench.bundle+zip';

/** A bundle is a ZIP: file managers that know no bundles show it as one. */
export const mimeTypes = () =>
  `<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="${bundleType}">
    <comment>Bundle of the ${title}</comment>
    <sub-class-of type="application/zip"/>
    <glob pattern="*.mars2.zip" weight="60"/>
  </mime-type>
</mime-info>
`;

/** A shell script that runs the terminal program by the Node inside of Electron. `folder` is a shell word. */
export const terminalProgram = (folder) =>
  `#!/bin/sh
ELECTRON_RUN_AS_NODE=1 exec ${folder}/${packageName} ${folder}/resources/app/out/main/cli.js "$@"
`;

/** What an AppImage starts: the window, or with \`mars2\` as its first word the terminal program. */
export const appRun = () =>
  `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
if [ "$1" = mars2 ]; then
  shift
  ELECTRON_RUN_AS_NODE=1 exec "$here/${packageName}" "$here/resources/app/out/main/cli.js" "$@"
fi
exec "$here/${packageName}" "$@"
`;

/** Debian wants this file; all the texts are beside the app. */
export const copyrightFile = (licence) =>
  `${title}

${licence.trim()}

The parts of others, with their licences, are listed in
${installedAt}/resources/app/LICENSES.txt; Electron's and Chromium's are
${installedAt}/LICENSE.electron.txt and ${installedAt}/LICENSES.chromium.html.
`;
