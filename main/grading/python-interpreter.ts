import { homedir } from 'node:os';
import { z } from 'zod';
import { executablesNamed, outputOf } from './executables';
import { type FoundPython, PACKAGES_PROBE, parsePackages } from './python-packages';

/** A real interpreter, never a version manager's shim, which would cost some 70 ms at each start. */
export type PythonInterpreter = {
  readonly path: string;
  /**
   * Paths that it needs to start, outside of /usr: folders of its standard library, and single files. Empty: it is in
   * /usr.
   */
  readonly needs: readonly string[];
  /** e.g. "3.11.2" */
  readonly version: string;
};

const OLDEST_MINOR = 9;
/** Imports packages such as scipy from a slow disk, where they are not the system's. */
const PROBE_TIMEOUT_MS = 60_000;
/**
 * A Python program that prints facts about its interpreter; `parsePythonProbe` reads them. Which shared libraries the
 * standard library and the packages of candidates need is seen from what the process has mapped once they are imported; a
 * link to one is needed too, since libraries are found by shorter names. The whole prefix is not: it may be ~/.local, with
 * the data folder in it.
 */
export const PYTHON_PROBE = `
import importlib, json, os, sys
SYSTEM = ("/usr/", "/lib/", "/lib32/", "/lib64/", "/libx32/", "/bin/", "/sbin/")
HOME = os.path.realpath(os.path.expanduser("~"))
def is_own(path):
    return not path.startswith(SYSTEM) or HOME != "/" and path.startswith(HOME + "/")
def holds_home(path):
    return (HOME + "/").startswith(os.path.realpath(path).rstrip("/") + "/")
def mapped():
    try:
        with open("/proc/self/maps") as maps:
            paths = {line.rstrip("\\n").split(None, 5)[-1] for line in maps}
    except OSError:
        return set()
    return {path for path in paths if path.startswith("/") and os.path.isfile(path) and is_own(path)}
def needs(executable):
    places = [path for path in sys.path if os.path.exists(path)]
    places += [os.path.realpath(path) for path in places]
    if not any(map(is_own, places + [executable])):
        return []
    names = ["numpy", "scipy.linalg", "scipy.special", "pandas"]
    for place in filter(os.path.isdir, places):
        names += [name.split(".")[0] for name in os.listdir(place) if name.endswith(".so")]
    out, sys.stdout = sys.stdout, sys.stderr
    try:
        importlib.import_module("site").main()
    except BaseException:
        pass
    for name in names:
        try:
            importlib.import_module(name)
        except BaseException:
            pass
    sys.stdout = out
    files = mapped()
    for folder in {os.path.dirname(path) for path in files}:
        links = [entry.path for entry in os.scandir(folder) if entry.is_symlink()]
        files.update([link for link in links if os.path.realpath(link) in files])
    binary = os.path.dirname(executable)
    settings = [os.path.join(folder, "pyvenv.cfg") for folder in (binary, os.path.dirname(binary))]
    found = [executable, *places, *files, *filter(os.path.exists, settings)]
    return sorted({path for path in found if is_own(path) and not holds_home(path)})
executable = os.path.realpath(sys.executable)
print(json.dumps([executable, needs(executable), list(sys.version_info[:3]), hasattr(os, "fork")]))
`;
const answerSchema = z.tuple([
  z.string(),
  z.array(z.string()),
  z.tuple([z.number(), z.number(), z.number()]),
  z.boolean(),
]);

/**
 * The Pythons 3 of the search path with their packages: the system's own first, then in the order of the path. One that is
 * found twice, by links, counts once. `named`: this one alone.
 */
export async function findPythons(named: string | null = null): Promise<readonly FoundPython[]> {
  const paths = named === null ? await executablesNamed('python3') : [named];
  const found = await Promise.all(
    paths.map(async (path) =>
      parsePackages(path, await outputOf(path, ['-I', '-c', PACKAGES_PROBE], PROBE_TIMEOUT_MS)),
    ),
  );
  const keyOf = ({ executable, paths }: FoundPython): string => [executable, ...paths].join('\n');
  return found.filter((python, at) => found.findIndex((other) => keyOf(other) === keyOf(python)) === at);
}

/** The interpreter of a Python that was found, with its packages among what it needs; null: it cannot grade. */
export async function interpreterOf({ path, paths }: FoundPython): Promise<PythonInterpreter | null> {
  const answer = await outputOf(path, ['-I', '-S', '-c', PYTHON_PROBE], PROBE_TIMEOUT_MS);
  const python = answer === null ? null : parsePythonProbe(answer);
  return python === null ? null : { ...python, needs: [...python.needs, ...paths.filter(isOwn)] };
}

/** The sandbox has what is in the system's folders, unless it is in a home that lies there. */
function isOwn(path: string): boolean {
  return !/^\/(usr|lib|lib32|lib64|libx32|bin|sbin)\//.test(path) || path.startsWith(`${homedir()}/`);
}

/** null: no Python that can grade. */
export function parsePythonProbe(text: string): PythonInterpreter | null {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return null;
  }
  const answer = answerSchema.safeParse(data);
  if (!answer.success) return null;
  const [path, needs, version, canFork] = answer.data;
  if (!canFork || version[0] !== 3 || version[1] < OLDEST_MINOR) return null;
  return { path, needs, version: version.join('.') };
}

/** Folders and files besides /usr that a sandbox needs for this interpreter to start; none lies in another. */
export function requiredPaths({ needs }: PythonInterpreter): string[] {
  return needs.filter((path) => !needs.some((folder) => path.startsWith(`${folder}/`)));
}
