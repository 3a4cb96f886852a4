import type {
  ChatMessage,
  Grade,
  NodeAdded,
  Problem,
  RunConfig,
  TreePart,
} from '../../preload/contract/index';
import { failed, ok } from '../base/index';
import { type PocketPolicy, type ReplySample, sampledReply } from '../pocket/index';
import { type Generated, searchTree, type TreeRunnerOptions } from '../search/index';
import { textDigest } from '../storage/index';
import type { LearnerGroup } from './learner-groups';
import { TrainerError } from './trainer-error';
import type { VerdictCache } from './verdict-cache';

/** A node of a tree grown for training or evaluation. */
export type GrownNode = {
  /** -1: a first attempt. */
  readonly parent: number;
  readonly learnerId: string;
  readonly messages: readonly ChatMessage[];
  readonly answer: string;
  /** null: the answer contains none. */
  readonly program: string | null;
  readonly sample: ReplySample;
  /** The score given to the search. */
  readonly score: number;
  /** Passes all public and private tests. */
  readonly passes: boolean;
};

export type GrownTree = { readonly problem: Problem; readonly nodes: readonly GrownNode[] };

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

/** An answer with the choices behind it. */
type WrittenAnswer = Generated & Pick<GrownNode, 'messages' | 'sample'>;

/** Searches one tree with these policies (by learner); the same request and policies give the same tree. */
export async function growTree(
  request: TreeRequest,
  policies: ReadonlyMap<string, PocketPolicy>,
  cache: VerdictCache,
): Promise<GrownTree> {
  const { problem, group, search, part, seed, scoredOn } = request;
  const learnerOf = new Map(group.team.agents.map((agent) => [agent.id, agent.serverId]));
  const nodes: Omit<GrownNode, 'passes'>[] = [];

  const generate: TreeRunnerOptions<WrittenAnswer>['generate'] = async ({ agent, messages, seed: own }) => {
    const policy = policies.get(agent.serverId);
    if (policy === undefined) throw new Error(`No learner ${agent.serverId}`);
    const { temperature, topP } = agent.sampling;
    const { reply, sample } = sampledReply(policy, messages, { seed: own, temperature, topP });
    if (sample === null) return failed({ kind: 'server', message: `${problem.id} cannot be parsed` });
    const { promptTokens, completionTokens } = reply;
    return ok({ answer: reply.text, promptTokens, completionTokens, messages, sample });
  };

  const grade = async (program: string): Promise<Grade> => {
    const publicGrade = await cache.publicGrade(problem, program);
    if (scoredOn === 'public' || (await cache.passes(problem, program))) return publicGrade;
    return { ...publicGrade, verdict: 'wrong-answer' };
  };

  const end = await searchTree({
    problem,
    part,
    config: configOf(request),
    recorded: [],
    generate,
    grade,
    record: async (event, answer) => {
      if (event.kind !== 'node-added' || answer === null) return;
      nodes.push(nodeOf(event, answer, learnerOf.get(event.agentId) as string));
    },
    digest: textDigest,
    now: () => 0,
    sleep: async () => undefined,
    stop: { aborted: false },
  });
  if (end.kind === 'failed') throw new TrainerError(end.refusal);
  const expected = part === 'search' ? search.nodes : search.samplesPerAgent * group.team.agents.length;
  if (nodes.length !== expected)
    throw new Error(`A tree of ${nodes.length} nodes instead of ${expected} (seed ${seed})`);
  const passes = await Promise.all(
    nodes.map(({ program }) => (program === null ? false : cache.passes(problem, program))),
  );
  return { problem, nodes: nodes.map((node, i) => ({ ...node, passes: passes[i] as boolean })) };
}

function nodeOf(
  { parent, score, detail }: NodeAdded,
  { messages, answer, sample }: WrittenAnswer,
  learnerId: string,
): Omit<GrownNode, 'passes'> {
  return { parent, learnerId, score, program: detail?.program ?? null, messages, answer, sample };
}

function configOf({ problem, group, search, seed }: TreeRequest): RunConfig {
  return {
    id: group.id,
    configuration: group.id,
    team: group.team,
    benchmarkId: 'pocket',
    benchmarkDigest: '',
    problemIds: [problem.id],
    search,
    seed,
    scale: 'pocket',
  };
}
