/** The parts of a problem that `wholeProgram` needs. */
export type ProgramFrame = {
  /** The code that the answer replaces or continues from, e.g. HumanEval's prompt. */
  readonly starterCode: string;
  readonly entryPoint: string | null;
};

/** Where the function is defined at top level; -1: nowhere. */
function definitionOf(source: string, name: string): number {
  // Names hold letters, digits and _ only (checked at import), so nothing in them is special to a pattern.
  return source.search(new RegExp(`^(?:async[ \\t]+)?def[ \\t]+${name}[ \\t]*\\(`, 'mu'));
}

/**
 * Makes a whole program from a solution of a function benchmark. A solution that defines the entry point replaces the
 * starter code's definition of it; the starter code before that definition stays (imports, and helper functions that
 * some tests call: HumanEval/38, /50). Any other solution is a body that continues the starter code. Recorded samples
 * (main/benchmarks) and answers of chat models (main/search) both use this rule.
 */
export function wholeProgram(solution: string, { starterCode, entryPoint }: ProgramFrame): string {
  if (entryPoint === null || definitionOf(solution, entryPoint) === -1) return starterCode + solution;
  return starterCode.slice(0, Math.max(0, definitionOf(starterCode, entryPoint))) + solution;
}
