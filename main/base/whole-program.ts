/** What assembling needs to know of a problem. */
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
 * The whole program that a solution of a function benchmark stands for. One that defines the entry point replaces
 * the starter code's own definition, behind what that has in front of it: its imports, and the helper functions that
 * some tests call (HumanEval/38, /50). Any other is a body that continues from the starter code. Recorded samples
 * (main/benchmarks) and answers of chat models (main/search) are assembled by this one rule.
 */
export function wholeProgram(solution: string, { starterCode, entryPoint }: ProgramFrame): string {
  if (entryPoint === null || definitionOf(solution, entryPoint) === -1) return starterCode + solution;
  return starterCode.slice(0, Math.max(0, definitionOf(starterCode, entryPoint))) + solution;
}
