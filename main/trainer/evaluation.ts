import type { PocketTraining, Problem, TeamEvaluation } from '../../preload/contract/index';
import { isBetterAnswer } from '../../preload/contract/index';
import { deriveSeed } from '../base/index';
import { clusterSizes, structureJudge } from '../metrics/index';
import type { PocketPolicy } from '../pocket/index';
import { parsePython } from '../search/index';
import { type GrownNode, type GrownTree, growTree } from './grow-tree';
import {
  evaluationSearch,
  type LearnerGroup,
  samplesSearch,
  singleGroups,
  teamGroup,
} from './learner-groups';
import type { TrainingInput } from './training-input';
import type { VerdictCache } from './verdict-cache';

type ProblemEvaluation = TeamEvaluation['problems'][number];
type SampleCount = ProblemEvaluation['samples'][number];

export type Evaluator = {
  readonly spec: PocketTraining;
  /** Held out. */
  readonly problems: readonly Problem[];
  /** Each agent alone, then all in shared trees if there are several. */
  readonly groups: readonly LearnerGroup[];
  readonly policies: ReadonlyMap<string, PocketPolicy>;
  readonly cache: VerdictCache;
};

export function evaluationGroups(input: TrainingInput): readonly LearnerGroup[] {
  const alone = singleGroups(input);
  return alone.length > 1 ? [...alone, teamGroup(input)] : alone;
}

export function emptyEvaluation({ spec, groups }: Evaluator): TeamEvaluation[] {
  return groups.map(({ learnerIds }) => ({
    agentIds: [...learnerIds],
    nodes: spec.evaluation.nodes,
    problems: [],
  }));
}

/** Evaluates every group on one problem, in order. */
export async function evaluateProblem(
  problem: Problem,
  evaluator: Evaluator,
): Promise<readonly ProblemEvaluation[]> {
  const { groups } = evaluator;
  const [counts, trees] = await Promise.all([
    Promise.all(groups.filter(isSingle).map((group) => firstAttempts(problem, group, evaluator))),
    Promise.all(groups.map((group) => searchProblem(problem, group, evaluator))),
  ]);
  const countOf = new Map(counts.map((count) => [count.agentId, count]));
  return Promise.all(
    groups.map(async ({ learnerIds }, i) => {
      const samples = learnerIds.map((id) => countOf.get(id) as SampleCount);
      return {
        problemId: problem.id,
        samples,
        ...(await summarizeTree(trees[i] as GrownTree, evaluator.spec)),
      };
    }),
  );
}

function isSingle({ learnerIds }: LearnerGroup): boolean {
  return learnerIds.length === 1;
}

/** Pass@1 of each agent alone, by id. */
export async function passRates(evaluator: Evaluator): Promise<ReadonlyMap<string, number>> {
  const rates = evaluator.groups.filter(isSingle).map(async (group) => {
    const counts = await Promise.all(
      evaluator.problems.map((problem) => firstAttempts(problem, group, evaluator)),
    );
    const rate = counts.reduce((sum, count) => sum + passRate({ samples: [count] }), 0) / counts.length;
    return [group.learnerIds[0] as string, rate] as const;
  });
  return new Map(await Promise.all(rates));
}

/** Independent first attempts of an agent, for Pass@1. */
async function firstAttempts(
  problem: Problem,
  group: LearnerGroup,
  { spec, policies, cache }: Evaluator,
): Promise<SampleCount> {
  const search = samplesSearch(spec.evaluation.samples, group);
  const seed = deriveSeed('pocket-evaluation', spec.seed, group.id);
  const { nodes } = await growTree(
    { problem, group, search, part: 'samples', seed, scoredOn: 'public' },
    policies,
    cache,
  );
  const passed = nodes.filter(({ passes }) => passes).length;
  return { agentId: group.learnerIds[0] as string, count: nodes.length, passed };
}

function searchProblem(
  problem: Problem,
  group: LearnerGroup,
  { spec, policies, cache }: Evaluator,
): Promise<GrownTree> {
  const seed = deriveSeed('pocket-evaluation', spec.seed, group.id);
  const search = evaluationSearch(spec);
  return growTree({ problem, group, search, part: 'search', seed, scoredOn: 'public' }, policies, cache);
}

async function summarizeTree(
  { nodes }: GrownTree,
  spec: PocketTraining,
): Promise<Omit<ProblemEvaluation, 'problemId' | 'samples'>> {
  const rule = evaluationSearch(spec);
  const chosen = nodes.reduce((best, node) =>
    isBetterAnswer(asAnswer(node), asAnswer(best), rule) ? node : best,
  );
  const programs = nodes.flatMap(({ program }) => program ?? []);
  const correct = nodes.flatMap(({ program, passes }) => (passes && program !== null ? [program] : []));
  const sizes = await clusterSizes(correct, structureJudge(parsePython), async () => undefined);
  return {
    chosenPasses: chosen.passes,
    somePasses: correct.length > 0,
    distinctPrograms: new Set(programs).size,
    algorithms: sizes.sort((a, b) => b - a),
  };
}

function asAnswer({ score }: GrownNode): { score: number; reward: null } {
  return { score, reward: null };
}

/** Means over the problems, by canonical key. */
export function evaluationValues({ nodes, problems }: TeamEvaluation): Readonly<Record<string, number>> {
  const mean = (value: (problem: ProblemEvaluation) => number): number =>
    problems.reduce((sum, problem) => sum + value(problem), 0) / problems.length;
  return {
    'pass@1': mean(passRate),
    'pass@1(mcts)': mean(({ chosenPasses }) => Number(chosenPasses)),
    'pass@n': mean(({ somePasses }) => Number(somePasses)),
    distinct: mean(({ distinctPrograms }) => distinctPrograms / nodes),
  };
}

/** Mean over the agents of the fraction of their first attempts that pass. */
function passRate({ samples }: Pick<ProblemEvaluation, 'samples'>): number {
  return samples.reduce((sum, { count, passed }) => sum + passed / count, 0) / samples.length;
}
