import { randomStream } from '../../../main/base';
import { interpret, type PocketPolicy, parseProgram, replyTo, type Value } from '../../../main/pocket';
import { AbMctsA, extractProgram, promptFor, ROOT } from '../../../main/search';
import type { Agent, Problem, TestCase, Verdict } from '../../../preload/contract';

/** One member of a team: a policy in a role. */
export type Member = { readonly policy: PocketPolicy; readonly role: 'solver' | 'refiner' };

const ROLE_PROMPTS = {
  solver: 'You are the solver. Write a correct program.',
  refiner: 'You are the refiner. Repair the earlier program with as few changes as you can.',
} as const;

function agentOf(role: Member['role'], temperature: number): Agent {
  return {
    id: role,
    name: role,
    serverId: 'none',
    role: { name: role, systemPrompt: ROLE_PROMPTS[role] },
    sampling: { temperature, topP: 1, maxTokens: 100 },
    extraction: 'last-fence',
  };
}

function numbers(text: string): number[] {
  return text
    .split(/[\s,[\]]+/)
    .filter((word) => word !== '')
    .map(Number);
}

function expectedText(test: TestCase, value: Value): string {
  if (test.kind === 'call') return JSON.stringify(value);
  if (typeof value === 'number') return `${value}\n`;
  return `${value.length === 0 ? 'empty' : value.join(' ')}\n`;
}

/** Graded by the interpreter, which tests/main/pocket/python.test.ts holds equal to real Python. */
function verdictOf(program: string | null, test: TestCase): Verdict {
  const parsed = program === null ? null : parseProgram(program);
  if (parsed === null || test.kind === 'check') return 'no-code';
  const outcome = interpret(parsed.program, numbers(test.input));
  if (typeof outcome === 'string') return outcome === 'error' ? 'runtime-error' : 'wrong-answer';
  return expectedText(test, outcome) === test.expected ? 'passed' : 'wrong-answer';
}

function passesAll(program: string | null, tests: readonly TestCase[]): boolean {
  return tests.every((test) => verdictOf(program, test) === 'passed');
}

export type SearchSettings = {
  readonly nodes: number;
  readonly samples: number;
  readonly temperature: number;
  readonly beliefs: 'gaussian' | 'beta';
  readonly score: 'fraction' | 'all';
  readonly seed: number;
};

/** Shares in [0, 1]; `chosen` by the tie rules latest and earliest; `copies`: nodes that repeat their parent. */
export type Scores = {
  first: number;
  chosenLatest: number;
  chosenEarliest: number;
  best: number;
  bestPublic: number;
  distinct: number;
  copies: number;
  sampled: number;
};

function write(
  member: Member,
  problem: Problem,
  settings: SearchSettings,
  seed: number,
  parent: Node | null,
) {
  const messages = promptFor(problem, agentOf(member.role, settings.temperature), parent);
  const reply = replyTo(member.policy, messages, { seed, temperature: settings.temperature, topP: 1 });
  return extractProgram(reply.text, 'last-fence');
}

type Node = { readonly program: string | null; readonly publicVerdicts: readonly Verdict[] };

function searchProblem(team: readonly Member[], problem: Problem, settings: SearchSettings): Scores {
  const key = ['bench', settings.seed, problem.id] as const;
  const seeds = randomStream(...key, 'generation');
  const search = new AbMctsA(
    { beliefs: settings.beliefs, selection: 'thompson' },
    team.length,
    randomStream(...key),
  );
  const nodes: (Node & { score: number; solved: boolean })[] = [];
  let copies = 0;
  for (let i = 0; i < settings.nodes; i++) {
    const { parent, agent } = search.select();
    const member = team[agent];
    if (member === undefined) throw new Error('no such member');
    const above = parent === ROOT ? null : (nodes[parent] ?? null);
    const program = write(member, problem, settings, seeds.integer(2 ** 31), above);
    const publicVerdicts = problem.publicTests.map((test) => verdictOf(program, test));
    const passed = publicVerdicts.filter((verdict) => verdict === 'passed').length / publicVerdicts.length;
    const score = settings.score === 'fraction' ? passed : Math.floor(passed);
    if (above !== null && above.program === program) copies += 1;
    nodes.push({
      program,
      publicVerdicts,
      score,
      solved: passed === 1 && passesAll(program, problem.privateTests),
    });
    search.record(parent, agent, score);
  }
  const top = Math.max(...nodes.map(({ score }) => score));
  let first = 0;
  for (const member of team) {
    for (let s = 0; s < settings.samples; s++) {
      const program = write(member, problem, settings, seeds.integer(2 ** 31), null);
      if (passesAll(program, problem.publicTests) && passesAll(program, problem.privateTests)) first += 1;
    }
  }
  return {
    first: first / (settings.samples * team.length),
    chosenLatest: nodes.findLast(({ score }) => score === top)?.solved ? 1 : 0,
    chosenEarliest: nodes.find(({ score }) => score === top)?.solved ? 1 : 0,
    best: nodes.some(({ solved }) => solved) ? 1 : 0,
    bestPublic: top === 1 ? 1 : 0,
    distinct: new Set(nodes.map(({ program }) => program)).size / nodes.length,
    copies: copies / nodes.length,
    sampled: sampledBest(team, problem, settings) ? 1 : 0,
  };
}

/** Repeated sampling with the same number of programs: does one of them pass everything? */
function sampledBest(team: readonly Member[], problem: Problem, settings: SearchSettings): boolean {
  const seeds = randomStream('bench-repeated', settings.seed, problem.id);
  return Array.from({ length: settings.nodes }, (_, i) => {
    const member = team[i % team.length];
    return member === undefined ? null : write(member, problem, settings, seeds.integer(2 ** 31), null);
  }).some((program) => passesAll(program, problem.publicTests) && passesAll(program, problem.privateTests));
}

/** Means over the problems. */
export function scoreTeam(
  team: readonly Member[],
  problems: readonly Problem[],
  settings: SearchSettings,
): Scores {
  const all = problems.map((problem) => searchProblem(team, problem, settings));
  const mean = (key: keyof Scores): number => all.reduce((sum, scores) => sum + scores[key], 0) / all.length;
  return {
    first: mean('first'),
    chosenLatest: mean('chosenLatest'),
    chosenEarliest: mean('chosenEarliest'),
    best: mean('best'),
    bestPublic: mean('bestPublic'),
    distinct: mean('distinct'),
    copies: mean('copies'),
    sampled: mean('sampled'),
  };
}
