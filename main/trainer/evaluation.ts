import type { Learning, Problem, SampleCount, TeamEvaluation } from '../../preload/contract/index';
import { isBetterAnswer } from '../../preload/contract/index';
import { deriveSeed } from '../base/index';
import { clusterSizes, structureJudge } from '../metrics/index';
import { parsePython } from '../search/index';
import { type GrownNode, type GrownTree, growTree, type TreeDeps } from './grow-tree';
import {
  evaluationSearch,
  type LearnerGroup,
  samplesSearch,
  singleGroups,
  teamGroup,
} from './learner-groups';
import type { LearningInput } from './learning-input';
import { runConcurrently } from './run-concurrently';
import type { TrainingEnvironment } from './training-environment';

type ProblemEvaluation = TeamEvaluation['problems'][number];

/** Problems evaluated concurrently: enough trees to keep the sandbox busy. */
export const CONCURRENT_PROBLEMS = 20;

export type Evaluator<Trace> = {
  readonly spec: LearningInput['spec'];
  readonly environment: Pick<TrainingEnvironment, 'heldOut' | 'heldOutProblem'>;
  /** Each agent alone, then all in shared trees if there are several. */
  readonly groups: readonly LearnerGroup[];
  readonly deps: TreeDeps<Trace>;
};

export function evaluationGroups(learning: LearningInput): readonly LearnerGroup[] {
  const evaluated = { ...learning, members: learning.evaluationMembers ?? learning.members };
  const alone = singleGroups(evaluated);
  return alone.length > 1 ? [...alone, teamGroup(evaluated)] : alone;
}

/** `of` for the next problems after the first `done`, in order; at most as many as are evaluated at once. */
export async function nextProblems<Trace, T>(
  { environment, deps }: Evaluator<Trace>,
  done: number,
  of: (problem: Problem, deps: TreeDeps<Trace>) => Promise<T>,
): Promise<readonly T[]> {
  return runConcurrently(
    deps.signal,
    environment.heldOut
      .slice(done, done + CONCURRENT_PROBLEMS)
      .map(
        (id) => async (signal: AbortSignal) => of(await environment.heldOutProblem(id), { ...deps, signal }),
      ),
  );
}

export function emptyEvaluation({
  spec,
  groups,
}: Pick<Evaluator<never>, 'spec' | 'groups'>): TeamEvaluation[] {
  return groups.map(({ learnerIds }) => ({
    agentIds: [...learnerIds],
    nodes: spec.evaluation.nodes,
    problems: [],
  }));
}

/** Evaluates every group on one problem, in order. */
export async function evaluateProblem<Trace>(
  problem: Problem,
  evaluator: Evaluator<Trace>,
): Promise<readonly ProblemEvaluation[]> {
  const { groups } = evaluator;
  const [counts, trees] = await Promise.all([
    heldOutAttempts(problem, evaluator),
    Promise.all(groups.map((group) => searchProblem(problem, group, evaluator))),
  ]);
  const countOf = new Map(counts.map((count) => [count.agentId, count]));
  return Promise.all(
    groups.map(async ({ learnerIds }, i) => {
      const samples = learnerIds.map((id) => countOf.get(id) as SampleCount);
      return {
        problemId: problem.id,
        samples,
        ...(await summarizeTree(trees[i] as GrownTree<Trace>, evaluator.spec)),
      };
    }),
  );
}

function isSingle({ learnerIds }: LearnerGroup): boolean {
  return learnerIds.length === 1;
}

/** Pass@1 of each agent alone, by id. */
export async function passRates<Trace>(evaluator: Evaluator<Trace>): Promise<ReadonlyMap<string, number>> {
  const perProblem: (readonly SampleCount[])[] = [];
  while (perProblem.length < evaluator.environment.heldOut.length) {
    const next = await nextProblems(evaluator, perProblem.length, (problem, deps) =>
      heldOutAttempts(problem, { ...evaluator, deps }),
    );
    perProblem.push(...next);
  }
  return meanRates(perProblem);
}

/** Mean over problems of each agent's Pass@1, by id. Every problem has the same agents in the same order. */
export function meanRates(perProblem: readonly (readonly SampleCount[])[]): ReadonlyMap<string, number> {
  const [first = []] = perProblem;
  const rates = first.map(({ agentId }, i) => {
    const counts = perProblem.map((ofAgents) => ofAgents[i] as SampleCount);
    const rate = counts.reduce((sum, count) => sum + passRate([count]), 0) / counts.length;
    return [agentId, rate] as const;
  });
  return new Map(rates);
}

/** First attempts of each agent alone at a held-out problem: the same seeds whenever it is asked. */
export function heldOutAttempts<Trace>(
  problem: Problem,
  { spec, groups, deps }: Pick<Evaluator<Trace>, 'spec' | 'groups' | 'deps'>,
): Promise<readonly SampleCount[]> {
  return Promise.all(
    groups
      .filter(isSingle)
      .map((group) =>
        firstAttempts(
          { problem, group, samples: spec.evaluation.samples, seed: evaluationSeed(spec, group) },
          deps,
        ),
      ),
  );
}

function evaluationSeed({ kind, seed }: LearningInput['spec'], { id }: LearnerGroup): number {
  return deriveSeed(`${kind}-evaluation`, seed, id);
}

/** Independent first attempts of an agent alone, for Pass@1. */
export async function firstAttempts<Trace>(
  {
    problem,
    group,
    samples,
    seed,
  }: {
    readonly problem: Problem;
    readonly group: LearnerGroup;
    readonly samples: number;
    readonly seed: number;
  },
  deps: TreeDeps<Trace>,
): Promise<SampleCount> {
  const search = samplesSearch(samples, group);
  const { nodes } = await growTree(
    { problem, group, search, part: 'samples', seed, scoredOn: 'public' },
    deps,
  );
  const passed = nodes.filter(({ passes }) => passes).length;
  return { agentId: group.learnerIds[0] as string, count: nodes.length, passed };
}

function searchProblem<Trace>(
  problem: Problem,
  group: LearnerGroup,
  { spec, deps }: Evaluator<Trace>,
): Promise<GrownTree<Trace>> {
  const seed = evaluationSeed(spec, group);
  const search = evaluationSearch(spec);
  return growTree({ problem, group, search, part: 'search', seed, scoredOn: 'public' }, deps);
}

async function summarizeTree(
  { nodes }: GrownTree<unknown>,
  spec: Learning,
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

function asAnswer({ score }: GrownNode<unknown>): { score: number; reward: null } {
  return { score, reward: null };
}

/** Means over the problems, by canonical key. */
export function evaluationValues({ nodes, problems }: TeamEvaluation): Readonly<Record<string, number>> {
  const mean = (value: (problem: ProblemEvaluation) => number): number =>
    problems.reduce((sum, problem) => sum + value(problem), 0) / problems.length;
  return {
    'pass@1': mean(({ samples }) => passRate(samples)),
    'pass@1(mcts)': mean(({ chosenPasses }) => Number(chosenPasses)),
    'pass@n': mean(({ somePasses }) => Number(somePasses)),
    distinct: mean(({ distinctPrograms }) => distinctPrograms / nodes),
  };
}

/** Mean over the agents of the fraction of their first attempts that pass. */
export function passRate(samples: readonly SampleCount[]): number {
  return samples.reduce((sum, { count, passed }) => sum + passed / count, 0) / samples.length;
}
