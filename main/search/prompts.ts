import {
  type Agent,
  type ChatMessage,
  completionPrompt,
  isWithoutSystemPrompt,
  type Problem,
  type PromptTemplate,
  type SearchOptions,
  type TestResult,
  type Verdict,
} from '../../preload/contract';
import { assertNever } from '../base';
import { firstFailure } from './failure-report';
import { martiRefinement } from './marti-prompt';
import { fenced } from './prompt-text';

/** The program that a refinement starts from, with its results on the public tests. */
export type ParentProgram = {
  readonly program: string | null;
  /** The answer that the program was extracted from. */
  readonly answer: string;
  /** One per public test that was run, in order; later tests were not run. */
  readonly publicVerdicts: readonly Verdict[];
  /** The results of these tests, in the same order. */
  readonly publicResults: readonly TestResult[];
};

const FORMAT_HEADING = '### Format';
export const PROGRAM_HEADING = '### Earlier program';
const RESULTS_HEADING = '### Results on the public tests';

/**
 * The prompt of a trial: from the problem alone (`parent` null), or to improve on a node. docs/search.md describes the
 * three kinds of feedback and how they differ from the papers' and MARTI's. Private tests and reference programs never
 * enter a prompt. All prompts of a problem (except MARTI's refinements) begin with the same text, so that a server can
 * reuse its prefix cache.
 *
 * Of the format `completion` the only message is the text to continue; `isPlainText` says so.
 */
export function promptFor(
  problem: Problem,
  agent: Agent,
  parent: ParentProgram | null,
  feedback: SearchOptions['feedback'] = 'verdicts',
): ChatMessage[] {
  const task = taskOf(problem, agent);
  const user = content(problem, agent, parent, feedback, task).join('\n\n');
  const system = systemOf(agent);
  return [
    ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
    { role: 'user', content: user },
  ];
}

/** The prompt of this agent is continued as plain text, without a chat template. */
export function isPlainText({ promptFormat }: Pick<Agent, 'promptFormat'>): boolean {
  return promptFormat?.kind === 'completion';
}

function systemOf({ promptFormat, role }: Agent): string {
  if (isWithoutSystemPrompt(promptFormat)) return '';
  const template = promptFormat?.kind === 'file' ? promptFormat.system : '';
  return [template, role?.systemPrompt ?? ''].filter((part) => part !== '').join('\n\n');
}

/** The prompt of a first attempt; a refinement's prompt contains it too. */
function taskOf(problem: Problem, { promptFormat }: Agent): readonly string[] {
  switch (promptFormat?.kind) {
    case undefined:
      return [problem.statement, `${FORMAT_HEADING}\n${formatInstructions(problem)}`];
    case 'bare':
      return [problem.statement];
    case 'completion':
      return [completionPrompt(problem, promptFormat)];
    case 'file':
      return [filledIn(promptFormat, problem)];
    default:
      return assertNever(promptFormat);
  }
}

/** In one pass, so that a problem's own braces are left as they are. */
function filledIn({ user }: Pick<PromptTemplate, 'user'>, problem: Problem): string {
  const texts: Readonly<Record<string, string>> = {
    statement: problem.statement,
    starter: problem.starterCode,
    format: formatInstructions(problem),
  };
  return user.replace(/\{(statement|starter|format)\}/g, (_, name: string) => texts[name] ?? '');
}

function content(
  problem: Problem,
  agent: Agent,
  parent: ParentProgram | null,
  feedback: SearchOptions['feedback'],
  task: readonly string[],
): readonly string[] {
  if (parent === null) return task;
  if (isPlainText(agent)) throw new Error('A completion is not refined: the plan refuses it');
  switch (feedback) {
    case 'marti':
      return martiRefinement(agent, parent, problem.publicTests.length, task);
    case 'verdicts':
    case 'errors':
      return [...task, ...refinement(problem, parent, feedback)];
    default:
      return assertNever(feedback);
  }
}

function formatInstructions(problem: Problem): string {
  if (problem.starterCode !== '') {
    return `Complete the code below and give the whole program in one fence.\n${fenced(problem.starterCode)}`;
  }
  const how = 'The program reads its input from stdin and writes its answer to stdout.';
  return `${how} Give the whole program in one fence.\n${fenced('')}`;
}

function refinement(problem: Problem, parent: ParentProgram, feedback: 'verdicts' | 'errors'): string[] {
  if (parent.program === null) {
    return ['An earlier answer held no program. Write a whole program and put it in a python fence.'];
  }
  const passed = parent.publicVerdicts.filter((verdict) => verdict === 'passed').length;
  const tests = problem.publicTests.length;
  const instruction =
    passed === tests
      ? 'Look for cases that the earlier program does not handle, and write an improved whole program'
      : 'Find the fault in the earlier program, and write a corrected whole program';
  const results = [...verdictLines(tests, parent.publicVerdicts), `Passed ${passed} of ${tests}.`];
  if (feedback === 'errors') results.push(...firstFailure(problem.publicTests, parent));
  return [
    `${PROGRAM_HEADING}\n${fenced(parent.program)}`,
    `${RESULTS_HEADING}\n${results.join('\n')}`,
    `${instruction}. Put it in one python fence.`,
  ];
}

function verdictLines(tests: number, verdicts: readonly Verdict[]): string[] {
  return Array.from({ length: tests }, (_, i) => {
    const verdict = verdicts[i];
    return `Test ${i + 1}: ${verdict === undefined ? 'not run' : verdict.replace('-', ' ')}`;
  });
}
