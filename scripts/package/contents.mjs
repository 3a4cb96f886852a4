// Which npm packages an installed workbench needs. Lock files are npm's, of version 3: their keys are paths.

const quotes = ["'", '"', '`'];

/** Of `names`, those that the built code of main still asks for. All others are inside the built files already. */
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

/** Of a package's files: what only its developers read is left out. */
export const isNeededFile = (path) => !/(?:\.map|\.d\.[cm]?ts|\.tsbuildinfo)$/.test(path);

/** Of Electron's folder: its own app, what only installs it, and the texts of other languages than the app's. */
export function isNeededOfElectron(path) {
  if (path.startsWith('locales/')) return /^locales\/en-(?:US|GB)\.pak$/.test(path);
  return !/^resources(?:\/|$)/.test(path) && path !== '.mars2-runtime.json' && path !== 'version';
}
