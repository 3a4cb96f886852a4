import type { Agent } from '../../preload/contract';
import { fenced } from './prompt-text';
import type { ParentProgram } from './prompts';

/**
 * A refinement prompt with the information of MARTI's released code (marti/agent_workflows, commit a2fe2c7), in our own
 * words. Its apparent mistakes are kept, so that its runs can be compared:
 * (a) where code was found, the problem's statement is left out;
 * (b) the whole set of public tests is one example, right or wrong;
 * (c) where no fence was found at all, the word None stands for the code; where the fence is empty, or there is no
 *     test, the statement comes again with a note that the answer held no code.
 */
export function martiRefinement(
  agent: Agent,
  parent: ParentProgram,
  publicTests: number,
  task: readonly string[],
): readonly string[] {
  const code = agent.extraction === 'whole' ? parent.program : greedyFence(parent.answer);
  if (code === '' || publicTests === 0) {
    return ['The earlier answer held no code. Solve the problem once more.', ...task];
  }
  const right =
    parent.publicVerdicts.length === publicTests &&
    parent.publicVerdicts.every((verdict) => verdict === 'passed');
  return [
    `### Earlier program\n${fenced(code ?? 'None')}`,
    ...(code === null ? ['The code of the earlier answer was malformed and could not be read.'] : []),
    `### Example 1\n${right ? 'Correct.' : 'Wrong.'}`,
    `Correct for ${right ? 1 : 0} of 1 examples. Improve the program and put all of it in one python fence.`,
  ];
}

/**
 * The text from the first python fence to the last closing fence, so several blocks become one text with the prose
 * between them; tabs become four spaces. null: no such fence.
 */
function greedyFence(answer: string): string | null {
  const begin = answer.indexOf('```python');
  const from = begin + '```python'.length;
  const end = answer.lastIndexOf('```');
  return begin === -1 || end < from ? null : answer.slice(from, end).replaceAll('\t', '    ').trim();
}
