// Which npm packages an installed workbench needs. Lock files are npm's, of version 3: their keys are paths.

const quotes = ["'", '"', '`'];

/** The packages among `names` that the built code of main still imports. All others are bundled in the built files. */
export const packagesNamedIn = (code, names) =>
  names.filter((name) =>
    quotes.some((quote) => ['/', quote].some((end) => code.includes(quote + name + end))),
  );

/**
 * The paths of these packages and of all below them, sorted. Optional ones are in the lock for every platform, and are left
 * out where `isInstalled(path)` says no.
 */
export function withDependencies(names, lock, isInstalled) {
  const found = new Set();
  const open = names.map((name) => pathFrom('', name, lock));
  while (open.length > 0) {
    const path = open.pop();
    if (path === undefined || found.has(path) || !isInstalled(path)) continue;
    found.add(path);
    const { dependencies = {}, optionalDependencies = {} } = lock.packages[path];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      open.push(pathFrom(path, name, lock));
  }
  return [...found].sort();
}

/** Where Node finds a package for one that lies at `path`: beside it or further up. */
function pathFrom(path, name, lock) {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const candidate = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (lock.packages[candidate] !== undefined) return candidate;
    if (at === '') return undefined;
  }
}

/** Whether a package's file is needed: files that only its developers read are left out. */
export const isNeededFile = (path) => !/(?:\.map|\.d\.[cm]?ts|\.tsbuildinfo)$/.test(path);

/** Whether a file of Electron's folder is needed: its own app, installers and the texts of other languages are not. */
export function isNeededOfElectron(path) {
  if (path.startsWith('locales/')) return /^locales\/en-(?:US|GB)\.pak$/.test(path);
  return !/^resources(?:\/|$)/.test(path) && path !== '.mars2-runtime.json' && path !== 'version';
}
