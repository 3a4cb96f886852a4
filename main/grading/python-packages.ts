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
print(json.dumps({"packages": packages, "paths": sorted(set(paths))}))
`;

const answerSchema = z.object({
  packages: z.array(z.object({ name: z.string(), version: z.string() })),
  paths: z.array(z.string()),
});

/** No packages if there was no answer. */
export function parsePackages(text: string | null): PythonPackages {
  try {
    const answer = answerSchema.safeParse(JSON.parse(text ?? ''));
    if (answer.success) return answer.data;
  } catch {
    // not JSON: as without an answer
  }
  return { packages: [], paths: [] };
}
