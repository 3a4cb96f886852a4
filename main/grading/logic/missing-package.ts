import type { Grade } from '../../../preload/contract';

/** The last line of a traceback. With the package there, a missing part of it is named as "numpy.x". */
const MISSING = /^ModuleNotFoundError: No module named '(\w+)'$/;

/**
 * The grade, with the package that failed its program where that is one that the Python that grades could have but has
 * not: the failure then says more of this Python than of the program, and says so. `lacking`: the packages that programs
 * may import elsewhere and not here. The verdict stays.
 */
export function withMissingPackage(grade: Grade, lacking: readonly string[], python: string): Grade {
  let missing: string | undefined;
  const results = grade.results.map((result) => {
    const name = result.verdict === 'runtime-error' ? nameIn(result.error) : null;
    if (name === null || !lacking.includes(name)) return result;
    missing ??= name;
    return { ...result, error: `${result.error}\n${explanation(name, python)}` };
  });
  return missing === undefined ? grade : { ...grade, results, missingPackage: missing };
}

function nameIn(error: string | null): string | null {
  const text = error?.trimEnd() ?? '';
  return MISSING.exec(text.slice(text.lastIndexOf('\n') + 1))?.[1] ?? null;
}

function explanation(name: string, python: string): string {
  return `The Python that grades, ${python}, has no ${name}, so this says nothing about the program. Install ${name} for that Python, start the workbench again, and grade the study again.`;
}
