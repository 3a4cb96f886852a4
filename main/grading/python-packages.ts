import { z } from 'zod';

/** A package that candidates may import. */
export type PythonPackage = { readonly name: string; readonly version: string };

/** Packages of the published graders' environments that the grading Python has. */
export type PythonPackages = {
  readonly packages: readonly PythonPackage[];
  /** Their folders and files; candidates see each under its last path component. */
  readonly paths: readonly string[];
};

/** Each with the files it needs. Candidates see no other packages of the interpreter. */
const VISIBLE_PACKAGES = {
  numpy: ['numpy', 'numpy.libs'],
  scipy: ['scipy', 'scipy.libs'],
  pandas: ['pandas', 'pandas.libs', 'dateutil', 'pytz', 'tzdata', 'six.py'],
  sympy: ['sympy', 'mpmath'],
  networkx: ['networkx'],
  sortedcontainers: ['sortedcontainers'],
} as const;

/** Names of the packages that candidates could import if this Python, with `packages`, had them. */
export function missingPackages(packages: readonly PythonPackage[]): readonly string[] {
  return Object.keys(VISIBLE_PACKAGES).filter((name) => !packages.some((item) => item.name === name));
}

/** A Python program that prints which of these packages it has; `parsePackages` reads the output. */
export const PACKAGES_PROBE = `
import importlib.machinery, importlib.metadata, json, os, sys
shown = json.loads(${JSON.stringify(JSON.stringify(VISIBLE_PACKAGES))})
packages, paths = [], []
for name, parts in shown.items():
    spec = importlib.machinery.PathFinder.find_spec(name)
    if spec is None or not spec.origin:
        continue
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        continue
    packages.append({"name": name, "version": version})
    for part in parts:
        found = [p for p in (os.path.join(folder, part) for folder in sys.path) if os.path.exists(p)]
        paths += [os.path.realpath(p) for p in found[:1]]
own = [sys.executable, os.path.realpath(sys.executable)]
print(json.dumps({"packages": packages, "paths": sorted(set(paths)), "executable": own}))
`;

const answerSchema = z.object({
  packages: z.array(z.object({ name: z.string(), version: z.string() })),
  paths: z.array(z.string()),
  executable: z.tuple([z.string(), z.string()]),
});

/** A Python that was found, with its packages. */
export type FoundPython = PythonPackages & {
  /** As it names itself, e.g. "/opt/lab/bin/python3" of a virtual environment, never a version manager's shim. */
  readonly path: string;
  /** The interpreter behind it, without links. */
  readonly executable: string;
};

/** The packages of the Python at `path`; none if it did not answer. */
export function parsePackages(path: string, text: string | null): FoundPython {
  try {
    const answer = answerSchema.safeParse(JSON.parse(text ?? ''));
    if (answer.success) {
      const { packages, paths, executable } = answer.data;
      return { packages, paths, path: executable[0] || path, executable: executable[1] };
    }
  } catch {
    // not JSON: as without an answer
  }
  return { path, executable: path, packages: [], paths: [] };
}
