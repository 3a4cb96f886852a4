import { z } from 'zod';

/** A package that candidates may import. */
export type PythonPackage = { readonly name: string; readonly version: string };

/** What the grading Python has of the packages that the published graders' environments have too. */
export type PythonPackages = {
  readonly packages: readonly PythonPackage[];
  /** What of its folders belongs to them: each is shown to candidates under its own last name. */
  readonly paths: readonly string[];
};

/** Each with what it needs beside itself. Nothing else of the interpreter's packages is shown to candidates. */
const SHOWN = {
  numpy: ['numpy', 'numpy.libs'],
  scipy: ['scipy', 'scipy.libs'],
  pandas: ['pandas', 'pandas.libs', 'dateutil', 'pytz', 'tzdata', 'six.py'],
  sympy: ['sympy', 'mpmath'],
  networkx: ['networkx'],
  sortedcontainers: ['sortedcontainers'],
} as const;

/** A program for Python, with its packages loaded, that tells what it has; `parsePackages` reads it. */
export const ASK_PACKAGES = `
import importlib.machinery, importlib.metadata, json, os, sys
shown = json.loads(${JSON.stringify(JSON.stringify(SHOWN))})
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

/** None where there was no answer. */
export function parsePackages(text: string | null): PythonPackages {
  try {
    const answer = answerSchema.safeParse(JSON.parse(text ?? ''));
    if (answer.success) return answer.data;
  } catch {
    // told below
  }
  return { packages: [], paths: [] };
}
