import type {
  Agent,
  RunView,
  ServerSpec,
  ServerState,
  ServerView,
  StudyWarning,
} from '../../../preload/contract/index';
import { missingPackagesText, withSharedWarnings } from '../../../preload/contract/plans/index';
import { assertNever, canonicalJson, counted } from '../../base/index';
import { type AgentStats, emptyAgentStats, treeStats } from './tree-stats';

/** A share of fewer answers than this says little. */
const MIN_ANSWERS = 10;
/** Above this share of answers without a program, the prompt format is to blame rather than the problems. */
const WITHOUT_PROGRAM_SHARE = 0.5;
/** Losing a tenth of the answers already changes a table's numbers by percentage points. */
const LOST_ANSWER_SHARE = 0.1;
/** So many calls without one answer: a wrong address or a dead server, not chance. */
const MIN_CALLS = 5;
/** All programs of a tree may be equal on easy problems, but not in half of all trees. */
const EQUAL_TREES_SHARE = 0.5;
const MIN_EQUAL_TREES = 3;

/** Over the runs of one configuration. */
type Totals = {
  readonly agents: Map<string, { readonly agent: Agent | null; readonly stats: AgentStats }>;
  readonly withoutTests: Set<string>;
  readonly withoutAnswers: Set<string>;
  /** Some run of it refines programs, rather than only sampling them. */
  isSearched: boolean;
  graded: number;
  differing: number;
};

/** Warnings to act on while a run can still be saved: which configuration and agent, how often, and what to do. */
export function warningsOf(views: ReadonlyMap<string, RunView>): StudyWarning[] {
  const configurations = new Map<string, Totals>();
  for (const view of views.values()) {
    const { configuration } = view.config;
    const totals = configurations.get(configuration) ?? {
      agents: new Map(),
      withoutTests: new Set<string>(),
      withoutAnswers: new Set<string>(),
      isSearched: false,
      graded: 0,
      differing: 0,
    };
    configurations.set(configuration, totals);
    addRun(totals, view);
  }
  const ofConfigurations = [...configurations].flatMap(([configuration, totals]) =>
    [
      ...[...totals.agents].flatMap(([id, { agent, stats }]) => agentWarnings(id, agent, stats)),
      ...runWarnings(totals),
    ].map(({ about, text }) => ({ id: `${configuration}: ${about}`, configuration, text })),
  );
  return [...packageWarnings(views), ...withSharedWarnings(ofConfigurations, [...configurations.keys()])];
}

/** One for the whole study: it is about the computer, independent of which agent wrote the programs. */
function packageWarnings(views: ReadonlyMap<string, RunView>): StudyWarning[] {
  const missing = new Map<string, number>();
  for (const { trees } of views.values()) {
    for (const tree of trees.values()) {
      for (const [name, count] of treeStats(tree).missing)
        missing.set(name, (missing.get(name) ?? 0) + count);
    }
  }
  if (missing.size === 0) return [];
  const names = [...missing.keys()].sort();
  const programs = [...missing.values()].reduce((sum, count) => sum + count, 0);
  const text = `${missingPackagesText(names, programs)} Install ${names.length === 1 ? 'it' : 'them'} for that Python (the doctor and Settings name it), start the workbench again, and regrade the study to see what changes.`;
  return [{ id: 'missing-packages', configuration: null, text }];
}

function addRun(totals: Totals, view: RunView): void {
  totals.isSearched ||= view.config.search.strategy.kind !== 'repeated';
  for (const tree of view.trees.values()) {
    const { agents, withoutTests, withoutAnswers, graded, differing } = treeStats(tree);
    if (withoutTests) totals.withoutTests.add(tree.problemId);
    if (withoutAnswers) totals.withoutAnswers.add(tree.problemId);
    totals.graded += graded;
    totals.differing += differing;
    for (const [id, stats] of agents) {
      const agent = view.config.team.agents.find((member) => member.id === id) ?? null;
      const entry = totals.agents.get(id) ?? { agent, stats: emptyAgentStats() };
      totals.agents.set(id, entry);
      addStats(entry.stats, stats);
    }
  }
}

function addStats(sum: AgentStats, more: AgentStats): void {
  sum.answers += more.answers;
  sum.withoutProgram += more.withoutProgram;
  sum.empty += more.empty;
  sum.cut += more.cut;
  sum.failed += more.failed;
  sum.lastFailure = more.lastFailure || sum.lastFailure;
  sum.faults += more.faults;
  sum.graderFaults += more.graderFaults;
  sum.rewardFailures += more.rewardFailures;
  sum.lastRewardFailure = more.lastRewardFailure || sum.lastRewardFailure;
  sum.compared += more.compared;
  sum.equal += more.equal;
}

/** `about`: what it is about, within its configuration. */
type Warning = { readonly about: string; readonly text: string };

function agentWarnings(id: string, agent: Agent | null, stats: AgentStats): Warning[] {
  const { answers, failed, faults, graderFaults, rewardFailures, compared, equal } = stats;
  const warnings: Warning[] = [];
  const warn = (kind: string, text: string): void => void warnings.push({ about: `${kind} ${id}`, text });
  const isAbove = (count: number, share: number): boolean =>
    answers >= MIN_ANSWERS && count > share * answers;
  if (answers === 0 && failed >= MIN_CALLS) {
    warn(
      'failed-calls',
      `All ${failed} calls of ${id} failed. The last error: ${sentence(stats.lastFailure)} Pause the study and check its server's log and address.`,
    );
  } else if (failed > 0) {
    warn(
      'failed-calls',
      `${counted(failed, 'request', 'requests')} to ${id} failed. The last error: ${sentence(stats.lastFailure)} Failed requests use no budget; check its server's log if more follow.`,
    );
  }
  if (isAbove(stats.empty, LOST_ANSWER_SHARE)) {
    warn(
      'empty-answers',
      `${stats.empty} of ${answers} answers of ${id} are empty. Check its server's chat template and stop words.`,
    );
  }
  if (isAbove(stats.cut, LOST_ANSWER_SHARE)) {
    const now = agent === null ? '' : ` (now ${agent.sampling.maxTokens})`;
    warn(
      'cut-answers',
      `${stats.cut} of ${answers} answers of ${id} were cut off at the token limit. Raise its maximum${now}.`,
    );
  }
  if (isAbove(stats.withoutProgram, WITHOUT_PROGRAM_SHARE)) {
    warn(
      'no-program',
      `${stats.withoutProgram} of ${answers} answers of ${id} contain no program. Check its prompt format and how programs are extracted from its answers.`,
    );
  }
  if (equal >= MIN_EQUAL_TREES && equal > EQUAL_TREES_SHARE * compared) {
    const now = agent === null ? '' : ` (now ${agent.sampling.temperature})`;
    warn(
      'equal-programs',
      `In ${equal} of ${counted(compared, 'tree')} all programs of ${id} are equal. Raise its temperature${now}, or check that its server uses the seed.`,
    );
  }
  if (faults > 0) {
    warn(
      'sandbox-faults',
      `The sandbox failed on ${counted(faults, 'program', 'programs')} of ${id}, which are left out of the numbers. Free memory and processes, then regrade the study.`,
    );
  }
  if (graderFaults > 0) {
    warn(
      'grader-faults',
      `The grader itself failed on ${counted(graderFaults, 'program', 'programs')} of ${id}, which are left out of the numbers. This is an error of the workbench: please report it with the error that such a node shows.`,
    );
  }
  if (rewardFailures > 0) {
    warn(
      'reward-failures',
      `The reward model failed on ${counted(rewardFailures, 'program', 'programs')} of ${id}. The last error: ${sentence(stats.lastRewardFailure)} Check its server, or search without it.`,
    );
  }
  return warnings;
}

function runWarnings({ withoutTests, withoutAnswers, isSearched, graded, differing }: Totals): Warning[] {
  const warnings: Warning[] = [];
  const warn = (about: string, text: string): void => void warnings.push({ about, text });
  if (withoutAnswers.size > 0) {
    const problems = counted(withoutAnswers.size, 'problem has', 'problems have');
    warn(
      'no-answers',
      `${problems} no answer in the recordings. Pass@N and Pass@1(MCTS) count ${them(withoutAnswers)} as not solved, Pass@1 leaves ${them(withoutAnswers)} out. Exclude ${them(withoutAnswers)} before you compare.`,
    );
  }
  if (withoutTests.size > 0) {
    const problems = counted(withoutTests.size, 'problem has', 'problems have');
    warn(
      'no-public-tests',
      `${problems} no public tests: every score there is 0, so ${
        isSearched
          ? `nothing guides the search. Exclude ${them(withoutTests)}, or treat ${withoutTests.size === 1 ? 'its trees' : 'their trees'} as plain sampling`
          : `the rule for ties alone chooses the answer. Exclude ${them(withoutTests)}, or compare by Pass@N, which needs no choice`
      }.`,
    );
  }
  if (differing > 0) {
    warn(
      'differing-verdicts',
      `${differing} of ${counted(graded, 'verdict differs', 'verdicts differ')} between the grading modes "as a program" and "as published". State which one you used when you compare with published numbers.`,
    );
  }
  return warnings;
}

const them = ({ size }: ReadonlySet<string>): string => (size === 1 ? 'it' : 'them');

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** Warnings of a study whose requests wait for servers that cannot be reached. */
export function serverWaitWarnings(
  specs: readonly ServerSpec[],
  views: readonly Pick<ServerView, 'model' | 'spec' | 'state'>[],
): StudyWarning[] {
  return specs.map((spec) => {
    const { model } = spec;
    const waiting = views.filter((view) => view.model === model && view.state.kind !== 'ready');
    // Another server of this model may have been stopped on purpose.
    const own = waiting.filter(
      (view) => view.spec !== undefined && canonicalJson(view.spec) === canonicalJson(spec),
    );
    const why = (own.length > 0 ? own : waiting).toSorted((a, b) => rankOf(a.state) - rankOf(b.state))[0];
    const asked = why === undefined ? '' : reasonOf(why.state);
    const isOutside = spec.kind === 'url' && why?.state.kind === 'starting';
    const reason = isOutside ? `${asked}. Start it again where it runs: the workbench cannot.` : asked;
    return {
      id: `waits for ${model}`,
      configuration: null,
      text: `Waiting for the server of "${model}"${reason === '' ? '.' : `: ${reason}`}`,
    };
  });
}

/** One that was stopped explains a wait only where no other does. */
const rankOf = ({ kind }: ServerState): number => (kind === 'stopped' ? 1 : 0);

function reasonOf(state: ServerState): string {
  switch (state.kind) {
    case 'starting':
      return state.stage;
    case 'failed':
      return `${state.message} ${state.hint ?? ''}`.trim();
    case 'stopped':
      return 'it was stopped and is being restarted';
    case 'ready':
      return '';
    default:
      return assertNever(state);
  }
}
