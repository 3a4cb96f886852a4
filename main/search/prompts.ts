import type { Agent, ChatMessage, Problem, Verdict } from '../../preload/contract';

/** What a refinement is told about the program that it starts from. */
export type ParentProgram = {
  readonly program: string | null;
  /** One per public test that was run, in order; tests after these were not run. */
  readonly publicVerdicts: readonly Verdict[];
};

const FORMAT_HEADING = '### Format';
const PROGRAM_HEADING = '### Earlier program';
const RESULTS_HEADING = '### Results on the public tests';

/**
 * What an agent is asked: from the problem alone (`parent` null), or to improve on a node. docs/search.md
 * tells how this differs from MARTI's prompts. A refinement holds statement, earlier program, a verdict per public test and their sum; no test
 * data, and nothing of the private tests. All prompts of a problem begin with the same text, so that a server can
 * reuse its cache.
 */
export function promptFor(problem: Problem, agent: Agent, parent: ParentProgram | null): ChatMessage[] {
  const messages: ChatMessage[] = [];
  if (agent.role !== null && agent.role.systemPrompt !== '') {
    messages.push({ role: 'system', content: agent.role.systemPrompt });
  }
  const sections = [problem.statement, `${FORMAT_HEADING}\n${deliverable(problem)}`];
  if (parent !== null) sections.push(...refinement(problem, parent));
  messages.push({ role: 'user', content: sections.join('\n\n') });
  return messages;
}

function deliverable(problem: Problem): string {
  if (problem.starterCode !== '') {
    return `Complete the code below and give the whole program in one fence.\n${fenced(problem.starterCode)}`;
  }
  const how = 'The program reads its input from stdin and writes its answer to stdout.';
  return `${how} Give the whole program in one fence.\n${fenced('')}`;
}

function refinement(problem: Problem, parent: ParentProgram): string[] {
  if (parent.program === null) {
    return ['An earlier answer held no program. Write a whole program and put it in a python fence.'];
  }
  const passed = parent.publicVerdicts.filter((verdict) => verdict === 'passed').length;
  const tests = problem.publicTests.length;
  const aim =
    passed === tests
      ? 'Look for cases that the earlier program does not handle, and write an improved whole program'
      : 'Find the fault in the earlier program, and write a corrected whole program';
  return [
    `${PROGRAM_HEADING}\n${fenced(parent.program)}`,
    `${RESULTS_HEADING}\n${[...verdictLines(tests, parent.publicVerdicts), `Passed ${passed} of ${tests}.`].join('\n')}`,
    `${aim}. Put it in one python fence.`,
  ];
}

function verdictLines(tests: number, verdicts: readonly Verdict[]): string[] {
  return Array.from({ length: tests }, (_, i) => {
    const verdict = verdicts[i];
    return `Test ${i + 1}: ${verdict === undefined ? 'not run' : verdict.replace('-', ' ')}`;
  });
}

/** A fence longer than any run of backticks in the code, so that the code cannot end it. */
function fenced(code: string): string {
  const longest = Math.max(2, ...Array.from(code.matchAll(/`{3,}/g), (run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  const body = code === '' || code.endsWith('\n') ? code : `${code}\n`;
  return `${fence}python\n${body}${fence}`;
}
