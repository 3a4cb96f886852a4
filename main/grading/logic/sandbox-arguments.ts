/** The parts of the sandbox; all paths are absolute. */
export type SandboxPlan = {
  readonly python: string;
  /** Folders outside /usr that the interpreter needs. */
  readonly pythonFolders: readonly string[];
  /** Folder that holds the runner's package. */
  readonly runnerFolder: string;
  /** Entries of the root folder that programs need besides /usr, e.g. /lib64. */
  readonly rootEntries: readonly RootEntry[];
  /** Folders of the user's own, by their real paths: where one lies in what is bound, it is empty. */
  readonly hidden: readonly string[];
  readonly features: SandboxFeatures;
  readonly way: 'shared' | 'nested' | 'single';
};

export type RootEntry =
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  | { readonly kind: 'folder'; readonly path: string };

/** Features of this version of bubblewrap. */
export type SandboxFeatures = {
  /** `--size` (0.7.0): a temporary folder with a limit. Without it /tmp cannot be written. */
  readonly sizedTmp: boolean;
  /** `--disable-userns` (0.8.0): no further user namespaces inside. */
  readonly disableUserns: boolean;
};

/** Bytes that one candidate may keep in /tmp, and in /dev/shm. */
const TMP_BYTES = 64 * 1024 * 1024;
const SHM_BYTES = 16 * 1024 * 1024;
/** Where the runner's package lies inside the sandbox. */
const RUNNER_INSIDE = '/grader';

/** The runner's environment, in the sandbox and without one: nothing of the user's own. */
export const RUNNER_ENVIRONMENT = {
  PATH: '/usr/bin:/bin',
  HOME: '/tmp',
  LANG: 'C.UTF-8',
  // Otherwise the order of sets, and so a verdict, could change between runs.
  PYTHONHASHSEED: '0',
  PYTHONDONTWRITEBYTECODE: '1',
  // Each further arena reserves 64 MiB of address space per thread, which counts towards the memory limit.
  MALLOC_ARENA_MAX: '1',
  // numpy's libraries would start a thread per core, which count as processes and use memory.
  OPENBLAS_NUM_THREADS: '1',
  OMP_NUM_THREADS: '1',
  MKL_NUM_THREADS: '1',
} as const;

/** bubblewrap's features by its `--version` line, e.g. "bubblewrap 0.8.0". */
export function featuresOf(versionLine: string): SandboxFeatures {
  const match = /(?<!\d)(\d+)\.(\d+)/.exec(versionLine);
  const number = match === null ? 0 : Number(match[1]) * 1000 + Number(match[2]);
  return { sizedTmp: number >= 7, disableUserns: number >= 8 };
}

/** Python's arguments that start the runner with its package in `folder`; for `way` see runner.py. */
export function runnerArguments(folder: string, way: SandboxPlan['way'] | 'bare'): string[] {
  // No `-I`: it would ignore PYTHONHASHSEED. The environment is only ours, and the folder is removed from the path again,
  // which is all that `-I` would add to `-s`.
  const call = `main('${way}')`;
  const start = `import sys; sys.path[0] = ${JSON.stringify(folder)}; from mars2_grader.runner import main; del sys.path[0]; ${call}`;
  return ['-s', '-S', '-X', 'utf8', '-c', start];
}

/** Those that lie in one of `bound`, and in no other of themselves. */
function foldersBelow(folders: readonly string[], bound: readonly string[]): readonly string[] {
  const isBelow = (path: string, above: string): boolean => path.startsWith(`${above}/`);
  return folders.filter(
    (path) => bound.some((above) => isBelow(path, above)) && !folders.some((other) => isBelow(path, other)),
  );
}

/** bubblewrap's arguments for a runner. Later mounts cover earlier ones. */
export function sandboxArguments(plan: SandboxPlan): string[] {
  const args = ['--unshare-all', '--die-with-parent', '--new-session', '--as-pid-1'];
  // A nested runner needs user namespaces, and forbids them to programs itself.
  if (plan.features.disableUserns && plan.way !== 'nested') args.push('--unshare-user', '--disable-userns');
  args.push('--uid', '65534', '--gid', '65534', '--hostname', 'sandbox', '--clearenv');
  for (const [name, value] of Object.entries(RUNNER_ENVIRONMENT)) args.push('--setenv', name, value);
  // Otherwise each fork would bind the same functions again. The runner removes it from the programs' environment.
  args.push('--setenv', 'LD_BIND_NOW', '1');
  args.push('--ro-bind', '/usr', '/usr');
  for (const entry of plan.rootEntries) {
    if (entry.kind === 'link') args.push('--symlink', entry.target, entry.path);
    else args.push('--ro-bind', entry.path, entry.path);
  }
  const system = [
    '/usr',
    ...plan.rootEntries.flatMap((entry) => (entry.kind === 'folder' ? entry.path : [])),
  ];
  const covered = foldersBelow(plan.hidden, system);
  // Before what the interpreter needs, which may lie in one.
  for (const folder of covered) args.push('--tmpfs', folder);
  // The linker's cache and Debian's indirections: without them some interpreters do not start.
  args.push('--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache');
  args.push('--ro-bind-try', '/etc/alternatives', '/etc/alternatives');
  args.push('--proc', '/proc', '--dev', '/dev');
  if (plan.way === 'nested') {
    // The runner mounts a new file system of limited size here for each candidate.
    args.push('--dir', '/tmp');
  } else if (plan.features.sizedTmp) {
    args.push('--perms', '1777', '--size', String(TMP_BYTES), '--tmpfs', '/tmp');
    args.push('--perms', '1777', '--size', String(SHM_BYTES), '--tmpfs', '/dev/shm');
  } else args.push('--dir', '/tmp');
  for (const folder of plan.pythonFolders) args.push('--ro-bind', folder, folder);
  const coveredLater = foldersBelow(plan.hidden, plan.pythonFolders);
  for (const folder of coveredLater) args.push('--tmpfs', folder);
  args.push('--ro-bind', plan.runnerFolder, RUNNER_INSIDE, '--chdir', '/tmp');
  // The root, /dev and what covers folders are in-memory file systems without a size limit, so they are read-only.
  for (const folder of [...covered, ...coveredLater, '/', '/dev']) args.push('--remount-ro', folder);
  args.push(plan.python, ...runnerArguments(RUNNER_INSIDE, plan.way));
  return args;
}
