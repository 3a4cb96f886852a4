import type {
  ChatMessage,
  Grade,
  NodeAdded,
  Problem,
  RunConfig,
  TreePart,
} from '../../preload/contract/index';
import { ok } from '../base/index';
import { searchTree, type TreeRunnerOptions } from '../search/index';
import type { LearnerGroup } from './learner-groups';
import type { Policy, Sampled, Written } from './policy';
import { TrainerError, TrainingStopped } from './trainer-error';
import type { TrainingEnvironment, Verdicts } from './training-environment';

/** A node of a tree grown for training or evaluation. */
export type GrownNode<Trace> = Sampled<Trace> & {
  /** -1: a first attempt. */
  readonly parent: number;
  readonly learnerId: string;
  readonly messages: readonly ChatMessage[];
  readonly answer: string;
  /** Cut by the limit on tokens. */
  readonly isTruncated: boolean;
  /** null: the answer contains none. */
  readonly program: string | null;
  /** The score given to the search. */
  readonly score: number;
  /** Passes all public and private tests. */
  readonly passes: boolean;
  /** Milliseconds from the request to the answer, and from there to its public verdicts. */
  readonly writeMs: number;
  readonly gradeMs: number;
};

export type GrownTree<Trace> = {
  readonly problem: Problem;
  readonly nodes: readonly GrownNode<Trace>[];
  /** The learner of each sample that the grader could not judge: neither right nor wrong, it is no node. */
  readonly unjudged: readonly string[];
};

export type TreeRequest = {
  readonly problem: Problem;
  readonly group: LearnerGroup;
  readonly search: RunConfig['search'];
  readonly part: TreePart;
  readonly seed: number;
  /**
   * all: a node's score is 1 only if it also passes the private tests, as in training. Refinements get feedback from the
   * public tests only in either case.
   */
  readonly scoredOn: 'public' | 'all';
};

export type TreeDeps<Trace> = {
  /** By learner. */
  readonly policies: ReadonlyMap<string, Policy<Trace>>;
  readonly environment: Pick<TrainingEnvironment, 'benchmarkId' | 'verdicts'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Cancels the requests in progress; the tree then ends with TrainingStopped. */
  readonly signal: AbortSignal;
};

type Answer<Trace> = Written<Trace> & Pick<GrownNode<Trace>, 'messages'>;

/**
 * Searches one tree with these policies. Policies that answer only by their request give the same tree for the same
 * request. Throws TrainerError if answers keep failing, TrainingStopped if it is cancelled.
 */
export async function growTree<Trace>(
  request: TreeRequest,
  deps: TreeDeps<Trace>,
): Promise<GrownTree<Trace>> {
  const { problem, group, search, part, seed, scoredOn } = request;
  const { policies, environment, now, sleep, signal } = deps;
  const learnerOf = new Map(group.team.agents.map((agent) => [agent.id, agent.serverId]));
  const nodes: GrownNode<Trace>[] = [];
  const unjudged: string[] = [];
  const passing = new Set<string>();

  const generate: TreeRunnerOptions<Answer<Trace>>['generate'] = async (nodeRequest) => {
    const policy = policies.get(nodeRequest.agent.serverId);
    if (policy === undefined) throw new Error(`No learner ${nodeRequest.agent.serverId}`);
    const written = await policy.write({ ...nodeRequest, signal });
    return written.ok ? ok({ ...written.value, messages: nodeRequest.messages }) : written;
  };

  const end = await searchTree({
    problem,
    part,
    config: configOf(request, environment.benchmarkId),
    recorded: [],
    generate,
    grade: async (program) => {
      const { grade, passes } = await gradeOnAllTests(problem, program, scoredOn, environment.verdicts);
      if (passes) passing.add(program);
      return grade;
    },
    record: async (event, answer) => {
      if (event.kind === 'trial-failed' && event.reason === 'grader-fault')
        unjudged.push(learnerOf.get(event.agentId) as string);
      if (event.kind !== 'node-added' || answer === null) return;
      const node = nodeOf(event, answer, learnerOf.get(event.agentId) as string);
      nodes.push({ ...node, passes: node.program !== null && passing.has(node.program) });
    },
    // Only compared within this tree, and never written: a text is its own digest.
    digest: (text) => text,
    now,
    sleep,
    stop: signal,
  });
  if (end.kind === 'stopped') throw new TrainingStopped();
  if (end.kind === 'failed') throw treeFailed(end.refusal.message);
  const expected = part === 'search' ? search.nodes : search.samplesPerAgent * group.team.agents.length;
  if (nodes.length !== expected)
    throw new Error(`A tree of ${nodes.length} nodes instead of ${expected} (seed ${seed})`);
  return { problem, nodes, unjudged };
}

/**
 * What the search is told of a program, and whether it passes all tests. A program that the grader cannot judge on either
 * set of tests is reported as such: the search then asks for another sample in its place.
 */
async function gradeOnAllTests(
  problem: Problem,
  program: string,
  scoredOn: TreeRequest['scoredOn'],
  verdicts: Verdicts,
): Promise<{ readonly grade: Grade; readonly passes: boolean }> {
  const grade = await verdicts.publicGrade(problem, program);
  if (grade.verdict === 'grader-fault') return { grade, passes: false };
  const passes = await verdicts.passes(problem, program, grade);
  if (passes === null) return { grade: { ...grade, verdict: 'grader-fault' }, passes: false };
  return {
    grade: scoredOn === 'public' || passes ? grade : { ...grade, verdict: 'wrong-answer' },
    passes,
  };
}

function nodeOf<Trace>(
  { parent, score, detail, generateMs, gradeMs }: NodeAdded,
  { messages, answer, end, trace, rollout }: Answer<Trace>,
  learnerId: string,
): Omit<GrownNode<Trace>, 'passes'> {
  const program = detail?.program ?? null;
  return {
    parent,
    learnerId,
    score,
    program,
    messages,
    answer,
    isTruncated: end === 'length',
    trace,
    rollout,
    writeMs: generateMs,
    gradeMs,
  };
}

function treeFailed(message: string): TrainerError {
  return new TrainerError({
    code: 'unavailable',
    message,
    hint: 'Fix what the message names, then resume the training: it continues from its last saved state.',
  });
}

function configOf({ problem, group, search, seed }: TreeRequest, benchmarkId: string): RunConfig {
  return {
    id: group.id,
    configuration: group.id,
    team: group.team,
    benchmarkId,
    benchmarkDigest: '',
    problemIds: [problem.id],
    search,
    seed,
    // Of no effect on the search; what is reported of a training has the scale of its record.
    scale: 'pocket',
  };
}
