import { randomStream } from '../../../main/base';
import {
  interpret,
  type PocketPolicy,
  type PocketRewardModel,
  parseProgram,
  replyTo,
  rewardOf,
  type Value,
} from '../../../main/pocket';
import { AbMctsA, extractProgram, guidedScore, promptFor, ROOT } from '../../../main/search';
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
  if (parsed === null || !('input' in test)) return 'no-code';
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
  /** A reward model, and how much of a node's score it is (0: it chooses only). */
  readonly reward?: { readonly model: PocketRewardModel; readonly weight: number };
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
  const above = parent === null ? null : { ...parent, answer: '', publicResults: [] };
  const messages = promptFor(problem, agentOf(member.role, settings.temperature), above);
  const reply = replyTo(member.policy, messages, { seed, temperature: settings.temperature, topP: 1 });
  return extractProgram(reply.text, 'last-fence');
}

type Node = { readonly program: string | null; readonly publicVerdicts: readonly Verdict[] };

/** A candidate of a tree, as far as a choice among candidates needs it. */
export type Candidate = Node & {
  /** Share of the public tests passed, or 1 only with all. */
  readonly publicScore: number;
  /** The score that the search received: the public score, or a mix of it and the reward. */
  readonly score: number;
  readonly reward: number;
  readonly solved: boolean;
};

/** One tree; the same settings and problem give the same nodes. */
export function searchTreeOf(
  team: readonly Member[],
  problem: Problem,
  settings: SearchSettings,
): { readonly nodes: readonly Candidate[]; readonly copies: number } {
  const key = ['bench', settings.seed, problem.id] as const;
  const seeds = randomStream(...key, 'generation');
  const search = new AbMctsA(
    { beliefs: settings.beliefs, selection: 'thompson' },
    team.length,
    randomStream(...key),
  );
  const nodes: Candidate[] = [];
  let copies = 0;
  for (let i = 0; i < settings.nodes; i++) {
    const { parent, agent } = search.select();
    const member = team[agent];
    if (member === undefined) throw new Error('no such member');
    const above = parent === ROOT ? null : (nodes[parent] ?? null);
    const program = write(member, problem, settings, seeds.integer(2 ** 31), above);
    const publicVerdicts = problem.publicTests.map((test) => verdictOf(program, test));
    const passed = publicVerdicts.filter((verdict) => verdict === 'passed').length / publicVerdicts.length;
    const publicScore = settings.score === 'fraction' ? passed : Math.floor(passed);
    const reward = rewardFor(settings, problem, program);
    const weight = settings.reward?.weight ?? 0;
    const score = guidedScore(publicScore, program === null ? null : reward, {
      source: { kind: 'pocket', seed: 0 },
      use: weight > 0 ? 'score' : 'choice',
      weight,
    });
    if (above !== null && above.program === program) copies += 1;
    nodes.push({
      program,
      publicVerdicts,
      publicScore,
      score,
      reward,
      solved: passed === 1 && passesAll(program, problem.privateTests),
    });
    search.record(parent, agent, score);
  }
  return { nodes, copies };
}

function rewardFor({ reward }: SearchSettings, problem: Problem, program: string | null): number {
  if (reward === undefined || program === null) return Number.NEGATIVE_INFINITY;
  const scored = rewardOf(reward.model, problem, program);
  if (!scored.ok) throw new Error(scored.error.message);
  return scored.value;
}

function searchProblem(team: readonly Member[], problem: Problem, settings: SearchSettings): Scores {
  const { nodes, copies } = searchTreeOf(team, problem, settings);
  const seeds = randomStream('bench-first', settings.seed, problem.id);
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
    bestPublic: nodes.some(({ publicScore }) => publicScore === 1) ? 1 : 0,
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
