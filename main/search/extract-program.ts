import { type Agent, completionPrompt, type Problem, type TestCase } from '../../preload/contract';
import { assertNever, lastFencedBlock, wholeProgram } from '../base';
import { isPython } from './python-syntax';

const FENCE = '```';
/** Shorter blocks are names and snippets, not programs (MARTI). */
const SHORTEST_BLOCK = 20;
/** Characters of blocks that are parsed in one answer, from its last block on: up to a fifth of a second. */
const MAX_PARSED = 75_000;

/**
 * The program in an answer, ready to be graded, or null where there is none (a blank one counts as none).
 *
 * - last-fence: the lines between the last two lines that hold three backticks (LiveCodeBench,
 *   lcb_runner/utils/extraction_utils.py).
 * - python-fence: the last block that holds Python (MARTI's grader).
 * - completion: the starter code followed by the answer; of a prompt of that format its text, and the answer up to the
 *   first stop text, also where the server did not stop there.
 * - whole: the answer itself, unchanged: recorded programs were assembled when they were imported.
 *
 * A block of a function benchmark (tests of kind `check` or `reference`, and a starter code) becomes a whole program:
 * see `wholeProgram`.
 */
export function programOf(
  answer: string,
  agent: Pick<Agent, 'extraction' | 'promptFormat'> & {
    readonly sampling: Pick<Agent['sampling'], 'stop'>;
  },
  problem: Pick<Problem, 'starterCode' | 'entryPoint' | 'publicTests' | 'privateTests'>,
): string | null {
  const { extraction, promptFormat, sampling } = agent;
  const completion = promptFormat?.kind === 'completion' ? promptFormat : null;
  const text = completion === null ? answer : cutAtStop(answer, sampling.stop ?? []);
  const code = extractProgram(text, extraction);
  if (code === null) return null;
  switch (extraction) {
    case 'whole':
      return code;
    case 'completion':
      return (completion === null ? problem.starterCode : completionPrompt(problem, completion)) + code;
    case 'last-fence':
    case 'python-fence':
      return problem.starterCode !== '' && testsFunctions(problem) ? wholeProgram(code, problem) : code;
    default:
      return assertNever(extraction);
  }
}

/** The answer before the earliest of the texts that end it; all of it where none occurs. */
export function cutAtStop(answer: string, stops: readonly string[]): string {
  const positions = stops.map((stop) => answer.indexOf(stop)).filter((position) => position !== -1);
  return positions.length === 0 ? answer : answer.slice(0, Math.min(...positions));
}

/** The code in an answer, unchanged, or null where there is none. */
export function extractProgram(answer: string, extraction: Agent['extraction']): string | null {
  const program = codeOf(answer, extraction);
  return program === null || program.trim() === '' ? null : program;
}

function codeOf(answer: string, extraction: Agent['extraction']): string | null {
  switch (extraction) {
    case 'last-fence':
      return lastFencedBlock(answer);
    case 'python-fence':
      return lastPythonBlock(answer);
    case 'completion':
    case 'whole':
      return answer;
    default:
      return assertNever(extraction);
  }
}

/**
 * Blocks from left to right, each to the nearest fence. An info string `py` or `python` is removed; any other one is
 * taken as code, so that other languages mostly fail to parse. MARTI drops what CPython does not parse. Here a grammar
 * decides, without starting a process: it has no errors on what CPython accepts, and accepts a few texts that CPython
 * refuses (a first line that was indented before trimming). A block of more than 64,000 characters is no program.
 */
function lastPythonBlock(answer: string): string | null {
  // Text and blocks in turn; behind the last fence is text.
  const parts = answer.split(FENCE).slice(0, -1);
  const blocks = parts.filter((_, index) => index % 2 === 1);
  let parsed = 0;
  for (const block of blocks.map((block) => block.replace(/^py(?:thon)?/i, '').trim()).reverse()) {
    if (block.length < SHORTEST_BLOCK) continue;
    parsed += block.length;
    if (parsed > MAX_PARSED) return null;
    if (isPython(block)) return block;
  }
  return null;
}

function testsFunctions(problem: {
  readonly publicTests: readonly TestCase[];
  readonly privateTests: readonly TestCase[];
}): boolean {
  const test = problem.privateTests[0] ?? problem.publicTests[0];
  return test?.kind === 'check' || test?.kind === 'reference';
}
