// The licences of all npm packages whose code is in the app, bundled or separate.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const isLicenceFile = (name) => /^(?:licen[cs]e|copying|notice)/i.test(name);

/** What is known of a package that lies in `folder`: { name, version, licence, texts }. */
export async function licenceIn(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter(isLicenceFile).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8').catch(() => '')));
  return {
    name,
    version,
    licence: typeof license === 'string' ? license : (license?.type ?? 'not named in its package.json'),
    texts: texts.map((text) => text.trim()).filter((text) => text !== ''),
  };
}

/** One file of all. A package that is there in two versions is named with each. */
export function licencesText(packages, electronVersion) {
  const sorted = [...packages].sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
  const sections = sorted.map(
    ({ name, version, licence, texts }) =>
      `${name} ${version}\nLicence: ${licence}\n\n${texts.join('\n\n') || '(The package holds no licence text.)'}\n`,
  );
  return [
    `Parts of the MARS² Workbench that others wrote, with their licences.\n\nElectron ${electronVersion}: LICENSE.electron.txt and, for Chromium, LICENSES.chromium.html, in the folder of the program.\n`,
    ...sections,
  ].join(`\n${'-'.repeat(80)}\n\n`);
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
