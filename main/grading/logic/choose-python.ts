import type { Refusal } from '../../../preload/contract';

/** A Python of a computer, with those packages that candidates may import. */
export type KnownPython = {
  /** As it names itself, e.g. "/opt/lab/bin/python3" of a virtual environment. */
  readonly path: string;
  readonly packages: readonly { readonly name: string; readonly version: string }[];
};

/** A Python that cannot grade, and why not, e.g. "the sandbox's user cannot enter /root". */
export type RefusedPython = { readonly python: KnownPython; readonly why: string };

/** The Python that grades. */
export type PythonChoice = {
  readonly path: string;
  /** Sentences for people: why this one, and what the others lack. */
  readonly reason: string;
};

/** What most programs import that import anything: one Python with it alone is better than one with all others. */
const PREFERRED_PACKAGE = 'numpy';

/**
 * The Pythons in the order in which they are tried: numpy first, then the number of packages. Equal ones stay in the order
 * in which they were found, so that the same computer always chooses the same one.
 */
export function bestFirst<T extends KnownPython>(pythons: readonly T[]): readonly T[] {
  return [...pythons].sort((a, b) => packageScore(b) - packageScore(a));
}

function packageScore({ packages }: KnownPython): number {
  const hasPreferred = packages.some(({ name }) => name === PREFERRED_PACKAGE);
  return packages.length + (hasPreferred ? 100 : 0);
}

/** Why this one of `all` grades; `refused` were tried before it. */
export function choiceOf(
  chosen: KnownPython,
  all: readonly KnownPython[],
  refused: readonly RefusedPython[],
): PythonChoice {
  const why = new Map(refused.map((choice) => [choice.python, choice.why]));
  const others = all.filter((python) => python !== chosen);
  const usable = others.filter((python) => !why.has(python));
  const lines = others.map((python) => {
    const cannot = why.get(python);
    return `${python.path} has ${packagesText(python)}${cannot === undefined ? '' : `, but cannot grade: ${cannot}`}.`;
  });
  return { path: chosen.path, reason: [choiceReason(chosen, others, usable), ...lines].join(' ') };
}

function choiceReason(
  chosen: KnownPython,
  others: readonly KnownPython[],
  usable: readonly KnownPython[],
): string {
  if (others.length === 0) return 'It is the only Python 3 here.';
  if (usable.length === 0) return 'It is the only Python 3 here that can grade.';
  return usable.every((python) => packageScore(python) < packageScore(chosen))
    ? 'It has more of the packages that programs import than the others here.'
    : 'No other here has more of the packages that programs import, and it comes first.';
}

/** "numpy 2.4.6, scipy 1.15.1", or "none of the packages". */
export function packagesText({ packages }: Pick<KnownPython, 'packages'>): string {
  if (packages.length === 0) return 'none of the packages';
  return packages.map(({ name, version }) => `${name} ${version}`).join(', ');
}

/** The command that gives this Python numpy. */
export function numpyHint(path: string): string {
  return path.startsWith('/usr/bin/')
    ? 'Install it with the system’s packages (Debian, Ubuntu: `sudo apt-get install python3-numpy`), or put a Python that has it on the PATH.'
    : `Install it for this Python: \`${path} -m pip install numpy\`.`;
}

/** The refusal that says most: that of the system's own Python, which everybody may read. */
export function firstCause<T extends { readonly kind: string }>(
  causes: readonly { readonly path: string; readonly problem: T }[],
): T | null {
  const broken = causes.filter(({ problem }) => problem.kind !== 'no-python');
  return (broken.find(({ path }) => path.startsWith('/usr/')) ?? broken[0] ?? causes[0])?.problem ?? null;
}

/** A refusal as a clause, without the sentence that all of them begin with. */
export function refusalClause({ message }: Pick<Refusal, 'message'>): string {
  return message.replace(/^Programs cannot be graded: /, '').replace(/\.$/, '');
}
