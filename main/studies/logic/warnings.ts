import type { Agent, RunView } from '../../../preload/contract/index';
import { type AgentStats, emptyAgentStats, treeStats } from './tree-stats';

/** Shares of fewer answers than this say little. */
const FEWEST_ANSWERS = 10;
/** Above this share of answers without a program the prompt's format is the likelier fault than the problems. */
const WITHOUT_PROGRAM_SHARE = 0.5;
/** A tenth of lost answers already moves a table's numbers by points. */
const LOST_ANSWER_SHARE = 0.1;
/** Calls without one answer among them: a wrong address or a dead server, not chance. */
const FEWEST_CALLS = 5;
/** Trees with nothing but equal programs: some easy problems have them, half of all trees do not. */
const EQUAL_TREES_SHARE = 0.5;
const FEWEST_EQUAL_TREES = 3;

type Gathered = {
  readonly agents: Map<string, { readonly agent: Agent | null; readonly signs: AgentStats }>;
  readonly withoutTests: Set<string>;
  readonly withoutAnswers: Set<string>;
  graded: number;
  differing: number;
};

/**
 * What should be said while a run can still be saved, in words: configuration, agent, how often, and what to do. Runs
 * of one configuration are told together, in the order of `views`.
 */
export function warningsOf(views: ReadonlyMap<string, RunView>): string[] {
  const configurations = new Map<string, Gathered>();
  for (const view of views.values()) {
    const { configuration } = view.config;
    const all = configurations.get(configuration) ?? {
      agents: new Map(),
      withoutTests: new Set<string>(),
      withoutAnswers: new Set<string>(),
      graded: 0,
      differing: 0,
    };
    configurations.set(configuration, all);
    gather(all, view);
  }
  return [...configurations].flatMap(([configuration, all]) =>
    [
      ...[...all.agents].flatMap(([id, { agent, signs }]) => agentWarnings(id, agent, signs)),
      ...runWarnings(all),
    ].map((warning) => `${configuration}: ${warning}`),
  );
}

function gather(all: Gathered, view: RunView): void {
  for (const tree of view.trees.values()) {
    const { agents, withoutTests, withoutAnswers, graded, differing } = treeStats(tree);
    if (withoutTests) all.withoutTests.add(tree.problemId);
    if (withoutAnswers) all.withoutAnswers.add(tree.problemId);
    all.graded += graded;
    all.differing += differing;
    for (const [id, signs] of agents) {
      const agent = view.config.team.agents.find((one) => one.id === id) ?? null;
      const entry = all.agents.get(id) ?? { agent, signs: emptyAgentStats() };
      all.agents.set(id, entry);
      add(entry.signs, signs);
    }
  }
}

function add(sum: AgentStats, more: AgentStats): void {
  sum.answers += more.answers;
  sum.withoutProgram += more.withoutProgram;
  sum.empty += more.empty;
  sum.cut += more.cut;
  sum.failed += more.failed;
  sum.lastFailure = more.lastFailure || sum.lastFailure;
  sum.faults += more.faults;
  sum.rewardFailures += more.rewardFailures;
  sum.lastRewardFailure = more.lastRewardFailure || sum.lastRewardFailure;
  sum.compared += more.compared;
  sum.equal += more.equal;
}

function agentWarnings(id: string, agent: Agent | null, signs: AgentStats): string[] {
  const { answers, failed, faults, rewardFailures, compared, equal } = signs;
  const told: string[] = [];
  const most = (count: number, share: number): boolean =>
    answers >= FEWEST_ANSWERS && count > share * answers;
  if (answers === 0 && failed >= FEWEST_CALLS) {
    told.push(
      `all ${failed} calls of ${id} failed, the last one with: ${sentence(signs.lastFailure)} Pause the study and look at its server's log and address.`,
    );
  } else if (failed > 0) {
    told.push(
      `${counted(failed, 'request', 'requests')} to ${id} failed, the last one with: ${sentence(signs.lastFailure)} They use no budget; look at its server's log if more follow.`,
    );
  }
  if (most(signs.empty, LOST_ANSWER_SHARE)) {
    told.push(
      `${signs.empty} of ${answers} answers of ${id} are empty; check its server's chat template and stop words.`,
    );
  }
  if (most(signs.cut, LOST_ANSWER_SHARE)) {
    const now = agent === null ? '' : ` (now ${agent.sampling.maxTokens})`;
    told.push(
      `${signs.cut} of ${answers} answers of ${id} were cut by the limit on tokens; raise its maximum${now}.`,
    );
  }
  if (most(signs.withoutProgram, WITHOUT_PROGRAM_SHARE)) {
    told.push(
      `${signs.withoutProgram} of ${answers} answers of ${id} hold no program; check its prompt format and how programs are taken out of its answers.`,
    );
  }
  if (equal >= FEWEST_EQUAL_TREES && equal > EQUAL_TREES_SHARE * compared) {
    const now = agent === null ? '' : ` (now ${agent.sampling.temperature})`;
    told.push(
      `in ${equal} of ${compared} trees all programs of ${id} are equal; raise its temperature${now}, or check that its server heeds the seed.`,
    );
  }
  if (faults > 0) {
    told.push(
      `the sandbox failed on ${counted(faults, 'program', 'programs')} of ${id}; they are left out of the numbers. Make room in memory and among processes, then grade the study again.`,
    );
  }
  if (rewardFailures > 0) {
    told.push(
      `the reward model failed on ${counted(rewardFailures, 'program', 'programs')} of ${id}, the last time with: ${sentence(signs.lastRewardFailure)} Look at its server, or search without it.`,
    );
  }
  return told;
}

function runWarnings({ withoutTests, withoutAnswers, graded, differing }: Gathered): string[] {
  const told: string[] = [];
  if (withoutAnswers.size > 0) {
    const problems = counted(withoutAnswers.size, 'problem has', 'problems have');
    told.push(
      `${problems} no answer in the recordings: Pass@N and Pass@1(MCTS) count that as not solved, Pass@1 leaves it out; mark them to be left out before you compare.`,
    );
  }
  if (withoutTests.size > 0) {
    const problems = counted(withoutTests.size, 'problem has', 'problems have');
    told.push(
      `${problems} no public tests, so every score there is 0 and nothing guides the search; mark them to be left out, or read them as plain sampling.`,
    );
  }
  if (differing > 0) {
    told.push(
      `${differing} of ${graded} verdicts differ between the readings "as a program" and "as published"; say which was taken when you compare with published numbers.`,
    );
  }
  return told;
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
