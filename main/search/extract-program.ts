import type { Agent } from '../../preload/contract';

const FENCE = '```';

/**
 * The program in an answer, or null where there is none.
 * last-fence: the lines between the last two lines that hold three backticks (LiveCodeBench's rule,
 * lcb_runner/utils/extraction_utils.py); whole: the answer itself. A blank program is none.
 */
export function extractProgram(answer: string, extraction: Agent['extraction']): string | null {
  const program = extraction === 'whole' ? answer : betweenLastFences(answer);
  return program === null || program.trim() === '' ? null : program;
}

function betweenLastFences(answer: string): string | null {
  const lines = answer.split('\n');
  const last = lines.findLastIndex((line) => line.includes(FENCE));
  if (last <= 0) return null;
  const first = lines.slice(0, last).findLastIndex((line) => line.includes(FENCE));
  return first === -1 ? null : lines.slice(first + 1, last).join('\n');
}
