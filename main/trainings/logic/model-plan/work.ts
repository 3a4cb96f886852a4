import type { ModelTraining } from '../../../../preload/contract';

/** How much a training of language models does, before anything is known of its answers. */
export type TrainingWork = {
  /** Answers that updates learn from, all agents together. */
  readonly learned: number;
  /** Answers written for them: whole rounds of trees; more where agents get unequal shares or trees are filtered out. */
  readonly written: number;
  /** Answers of the evaluations, those before the first update and on the way included. */
  readonly evaluated: number;
  /** Answers by which problems to train on are chosen. */
  readonly chosenBy: number;
  readonly rounds: number;
  /** Trees by which each problem is met, on average: of all learner groups together. */
  readonly treesPerProblem: number;
  /** Answers that an agent writes at the same time in a round, on average. */
  readonly rows: number;
  /** The same in the final evaluation. */
  readonly evaluationRows: number;
};

/** Methods whose agents share trees. */
const SHARED_TREES: readonly ModelTraining['method'][] = ['heter-mars2', 'mixed-groups'];
/** Methods whose answers are all first attempts, which do not wait for each other. */
const FLAT: readonly ModelTraining['method'][] = ['grpo', 'grpo-all-wrong', 'mixed-groups'];
/** Bytes of a number that the model computes with. */
export function numberBytes({ dtype }: Pick<ModelTraining, 'dtype'>): number {
  return dtype === 'bfloat16' ? 2 : 4;
}

/** As main/trainer: most concurrent trials of a search, and problems evaluated at once. */
const MAX_CONCURRENT = 64;
const CONCURRENT_PROBLEMS = 20;
/** As resources/learner/mars2_learner: most answers that it writes together. */
export const SAMPLE_ROWS = 64;

/**
 * Counts of answers and rounds, by the loop of main/trainer: a round grows `treesPerRound` trees of `nodes` nodes for every
 * group of agents that share trees, and an agent updates once it has `batch` answers. Every update is reached, however
 * small a round is; what runs out is the signal. `problems`: those trained on.
 */
export function trainingWork(
  spec: Pick<
    ModelTraining,
    'method' | 'agents' | 'updates' | 'batch' | 'treesPerRound' | 'nodes' | 'refinement' | 'evaluation'
  > & { readonly problems: Pick<ModelTraining['problems'], 'choose'> },
  problems: number,
): TrainingWork {
  const { method, updates, batch, treesPerRound, nodes, evaluation } = spec;
  const agents = spec.agents.length;
  const isLearning = method !== 'base';
  const perTree = SHARED_TREES.includes(method) ? agents : 1;
  const groups = agents / perTree;
  const learned = isLearning ? updates * batch * agents : 0;
  const rounds = isLearning ? Math.ceil((updates * batch * perTree) / (treesPerRound * nodes)) : 0;
  const inFlight = FLAT.includes(method) || !spec.refinement ? Math.min(nodes, MAX_CONCURRENT) : 1;
  const teams = agents > 1 ? agents + 1 : 1;
  const { every, samples, before = every > 0 } = evaluation;
  // The last is part of the final evaluation.
  const duringTraining = every > 0 ? Math.floor((updates - 1) / every) : 0;
  const earlier = isLearning ? Number(before) + duringTraining : 0;
  const { choose } = spec.problems;
  const firstAttempts = evaluation.problems * samples * agents;
  const together = Math.min(CONCURRENT_PROBLEMS, evaluation.problems);
  return {
    learned,
    written: rounds * treesPerRound * nodes * groups,
    evaluated: evaluation.problems * evaluation.nodes * teams + firstAttempts * (1 + earlier),
    chosenBy:
      isLearning && choose !== undefined ? Math.min(choose.measured, problems) * choose.samples * agents : 0,
    rounds,
    treesPerProblem: problems === 0 ? 0 : (rounds * treesPerRound * groups) / problems,
    rows: rowsOf((treesPerRound * inFlight) / perTree),
    evaluationRows: rowsOf(together * (1 + Math.min(samples, MAX_CONCURRENT))),
  };
}

function rowsOf(answers: number): number {
  return Math.min(SAMPLE_ROWS, Math.max(1, answers));
}

/** Passes over an answer and its prompt, by what they cost in parameters times tokens (2 is a forward pass). */
export type UpdateCost = {
  readonly scores: number;
  /** Floating-point operations for each parameter and token of an update. */
  readonly perToken: number;
};

/**
 * 2 operations a parameter and token forward, 4 backward (Kaplan et al. 2020, arXiv 2001.08361, section 2.1; attention to
 * other tokens is not counted). An update scores the answers, scores them by the reference where there is one (an adapter
 * always has one), and passes them forward, forward again (checkpointed activations), and backward; frozen weights need
 * no gradient of their own, which halves the backward pass.
 */
export function updateCost({ lora, objective }: Pick<ModelTraining, 'lora' | 'objective'>): UpdateCost {
  const scores = lora !== null || objective.kl.coefficient > 0 ? 2 : 1;
  return { scores, perToken: 2 * scores + 4 + (lora === null ? 4 : 2) };
}
