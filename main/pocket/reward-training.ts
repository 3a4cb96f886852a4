import { type Random, randomStream, shuffled } from '../base';
import { adam } from './adam';
import { encodeWeights } from './base64';
import { passes, privateExamples } from './examples';
import { encodePrompt, LONGEST_PROGRAM } from './features';
import type { Program } from './operations';
import { type PocketPolicy, sampleProgram } from './policy';
import { PROBLEM_LENGTHS } from './problems';
import type { Feedback, ReadPrompt } from './prompt';
import { editProgram, neighbours, pick } from './random-program';
import { type Feature, REWARD_FEATURES, rewardFeatures } from './reward-features';
import { REWARD_MODEL_VERSION, type RewardModelWeights, weightedSum } from './reward-model';
import { splitOf } from './signature';
import { nextTask, type Task } from './tasks';

/** Chosen on the validation split; docs/pocket.md says what was tried. */
const TASKS = 1_500;
/** Further tasks to measure on: 200 besides 1500. */
const HELD_OUT_SHARE = 2 / 15;
/** First attempts of each policy on each problem, and refinements of the first few of them. */
const ATTEMPTS = 12;
const REFINED = 6;
/** Mutants that pass the public tests: as many as programs of the policies, so that neither kind dominates. */
const MUTANTS = 12;
const EDITED = 6;
const EDITS = 40;
/** Programs that fail the public tests teach little; a few are needed because the reward may be part of every score. */
const FAILING = 3;
const EPOCHS = 12;
const BATCH = 16;
const RATE = 0.02;
const DECAY = 1e-4;

/** A candidate with its features and the verdict of the private tests. */
type Candidate = {
  readonly features: readonly Feature[];
  /** Passes all public tests. */
  readonly passing: boolean;
  readonly right: boolean;
};

function promptOf({ wording, examples }: Task, earlier: ReadPrompt['earlier']): ReadPrompt {
  const { clauses, reordered, omitted } = wording;
  return { style: 'stdin', clauses, reordered, omitted, examples, role: 0, earlier };
}

/** The policies' programs for a task: first attempts, and refinements of some of them by either policy. */
function policyPrograms(task: Task, policies: readonly PocketPolicy[], random: Random): readonly Program[] {
  const sampling = { temperature: 1, topP: 1 };
  const first = encodePrompt(promptOf(task, null));
  return policies.flatMap((policy) =>
    Array.from({ length: ATTEMPTS }, (_, i) => {
      const { program } = sampleProgram(policy, first, random, sampling);
      if (i >= REFINED) return [program];
      const feedback: Feedback = passes(program, task.examples) ? 'all-passed' : 'none-passed';
      const again = encodePrompt(promptOf(task, { program, feedback }));
      return [program, sampleProgram(pick(policies, random), again, random, sampling).program];
    }).flat(),
  );
}

/** Programs near the reference and near the policies' own that pass the public tests. */
function passingMutants(task: Task, own: readonly Program[], random: Random): readonly Program[] {
  const near = neighbours(task.program).filter((mutant) => passes(mutant, task.examples));
  const far = own
    .slice(0, EDITED)
    .flatMap((program) =>
      Array.from({ length: EDITS }, () => editProgram(program, random, LONGEST_PROGRAM)).filter((mutant) =>
        passes(mutant, task.examples),
      ),
    );
  return shuffled([...near, ...far], random).slice(0, MUTANTS);
}

function candidatesOf(task: Task, policies: readonly PocketPolicy[], random: Random): readonly Candidate[] {
  const hidden = privateExamples(task.program, task.examples, random);
  const own = policyPrograms(task, policies, random);
  const programs = new Map(
    [task.program, ...own, ...passingMutants(task, own, random)].map((program) => [program.join(), program]),
  );
  const statement = { style: 'stdin' as const, ...task.wording, examples: task.examples };
  const judged = [...programs.values()].map((program) => ({
    program,
    passing: passes(program, task.examples),
  }));
  const chosen = [
    ...judged.filter(({ passing }) => passing),
    ...shuffled(
      judged.filter(({ passing }) => !passing),
      random,
    ).slice(0, FAILING),
  ];
  return chosen.map(({ program, passing }) => ({
    features: rewardFeatures(statement, program),
    passing,
    right: passing && passes(program, hidden),
  }));
}

/**
 * Tasks of the train split with semantics that `accept` allows. The same semantics may occur again with other words and
 * examples: there are few different tasks of two steps.
 */
function trainTasks(count: number, random: Random, accept: (signature: string) => boolean): readonly Task[] {
  return Array.from({ length: count }, () => {
    const task = nextTask({ split: 'train', length: pick(PROBLEM_LENGTHS, random) }, random, accept);
    // The labels come from the reference program, so a task of an evaluated problem would leak its answer.
    if (task === null || splitOf(task.signature) !== 'train')
      throw new Error('A reward model is trained on tasks of the train split only');
    return task;
  });
}

/** Logistic regression: in each problem the right and the wrong candidates weigh the same in all. */
function fit(groups: readonly (readonly Candidate[])[], random: Random, onEpoch: (share01: number) => void) {
  const weights = new Float64Array(REWARD_FEATURES);
  const gradient = new Float64Array(REWARD_FEATURES);
  const optimiser = adam(REWARD_FEATURES, { beta2: 0.99 });
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const order = shuffled(groups, random);
    for (let start = 0; start < order.length; start += BATCH) {
      for (const group of order.slice(start, start + BATCH)) addGradient(weights, group, gradient);
      for (let i = 0; i < weights.length; i++) gradient[i] = (gradient[i] ?? 0) - DECAY * (weights[i] ?? 0);
      optimiser.step(weights, gradient, RATE * (1 - (0.9 * epoch) / EPOCHS));
    }
    onEpoch((epoch + 1) / EPOCHS);
  }
  return weights;
}

function addGradient(weights: Float64Array, group: readonly Candidate[], gradient: Float64Array): void {
  const right = group.filter((candidate) => candidate.right).length;
  for (const candidate of group) {
    const chance = 1 / (1 + Math.exp(-weightedSum(weights, candidate.features)));
    const alike = candidate.right ? right : group.length - right;
    const step = ((candidate.right ? 1 : 0) - chance) / (BATCH * alike);
    for (const { index, value } of candidate.features)
      gradient[index] = (gradient[index] ?? 0) + step * value;
  }
}

/** Share of pairs of a right and a wrong one in which the right one has the larger score; a tie counts one half. */
export function areaUnderCurve(
  scored: readonly { readonly score: number; readonly right: boolean }[],
): number {
  const ranked = [...scored].sort((a, b) => a.score - b.score);
  const right = ranked.filter((example) => example.right).length;
  const pairs = right * (ranked.length - right);
  if (pairs === 0) return 0.5;
  let won = 0;
  let below = 0;
  for (let start = 0; start < ranked.length; ) {
    let end = start;
    while (end < ranked.length && ranked[end]?.score === ranked[start]?.score) end += 1;
    const tied = ranked.slice(start, end);
    const wrongTied = tied.filter((example) => !example.right).length;
    won += (tied.length - wrongTied) * (below + wrongTied / 2);
    below += wrongTied;
    start = end;
  }
  return won / pairs;
}

function measure(
  weights: Float64Array,
  groups: readonly (readonly Candidate[])[],
): RewardModelWeights['heldOut'] {
  const scoredGroups = groups.map((group) =>
    group.map(({ features, passing, right }) => ({ score: weightedSum(weights, features), passing, right })),
  );
  const all = scoredGroups.flat();
  const passed = scoredGroups
    .map((group) => group.filter(({ passing }) => passing))
    .filter((group) => group.some(({ right }) => right) && group.some(({ right }) => !right));
  const sum = passed.reduce((total, group) => total + areaUnderCurve(group), 0);
  return {
    problems: groups.length,
    candidates: all.length,
    accuracy: all.filter(({ score, right }) => score > 0 === right).length / all.length,
    auc: areaUnderCurve(all),
    lucky: { problems: passed.length, auc: passed.length === 0 ? 0.5 : sum / passed.length },
  };
}

export type RewardTrainingOptions = {
  readonly seed: number;
  /** Base policies that write a part of the candidates. At least one. */
  readonly policies: readonly PocketPolicy[];
  /** Problems to train on; 1500 when left out. */
  readonly problems?: number;
  /** Called from time to time with the share done, in [0, 1]. */
  readonly onProgress?: (share01: number) => void;
};

/**
 * Trains a reward model on candidates of the train split with their private verdicts (by the interpreter, which tests
 * hold equal to Python): the policies' programs, mutants that pass the public tests, and the references. Some seconds
 * of computing. The same seed and policies give the same record to the byte.
 */
export function trainRewardModel({
  seed,
  policies,
  problems = TASKS,
  onProgress,
}: RewardTrainingOptions): RewardModelWeights {
  const random = randomStream('pocket-reward', seed);
  const heldOutTasks = trainTasks(Math.ceil(problems * HELD_OUT_SHARE), random, () => true);
  const heldOutSignatures = new Set(heldOutTasks.map(({ signature }) => signature));
  const tasks = trainTasks(problems, random, (signature) => !heldOutSignatures.has(signature));
  const trained = tasks.map((task, i) => {
    if (i % 50 === 0) onProgress?.((0.8 * i) / tasks.length);
    return candidatesOf(task, policies, random);
  });
  const heldOut = heldOutTasks.map((task) => candidatesOf(task, policies, random));
  const fitted = fit(trained, random, (share01) => onProgress?.(0.8 + 0.2 * share01));
  // Measured with the weights as a reader gets them.
  const rounded = Float64Array.from(Float32Array.from(fitted));
  return {
    kind: 'pocket-reward-model',
    version: REWARD_MODEL_VERSION,
    seed,
    features: REWARD_FEATURES,
    trained: { problems: trained.length, candidates: trained.flat().length },
    heldOut: measure(rounded, heldOut),
    weights: encodeWeights(fitted),
  };
}
