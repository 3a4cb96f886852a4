import { type Random, randomStream, shuffled } from '../base';
import { adam } from './adam';
import { type Checkpoint, checkpointOf } from './checkpoint';
import { passes } from './examples';
import { FAMILY_TRAITS, type Family } from './families';
import { type Encoded, encodePrompt, LAYOUTS, LONGEST_PROGRAM, UNKNOWN_OPERATIONS } from './features';
import { interpret, isValue, sameOutcome } from './interpret';
import { OPERATIONS, type Program, SYMBOLS } from './operations';
import {
  addGradient,
  addTraceGradient,
  type PocketPolicy,
  sampleProgram,
  traceLogProbability,
  traceOf,
  traceProbabilities,
  weightCount,
} from './policy';
import { PROBLEM_LENGTHS } from './problems';
import type { Feedback, ReadPrompt, Role } from './prompt';
import { editProgram, pick } from './random-program';
import { nextTask, type Task } from './tasks';

/** Chosen on the validation split; docs/pocket.md says what was tried. */
const TASKS = 3_000;
const LENGTHS: readonly number[] = [1, 2, 3, 3];
const SHORT_LENGTHS: readonly number[] = [1, 2, 2];
/**
 * Tasks drawn for items in which a partner has already written the steps that the family lacks; more than half qualify.
 */
const LACKING_SKILL_TASKS = 1_500;
const EPOCHS = 2;
const BATCH = 32;
const RATE = 0.02;
const REFINEMENTS_PER_TASK = 2;
/** Edits to try when searching a wrong parent that passes the public tests. */
const FALSE_POSITIVE_TRIES = 40;

/** `repeats`: the program is the earlier one, and learning lowers its probability instead of raising it. */
type Item = { readonly encoded: Encoded; readonly program: Program; readonly repeats: boolean };

function feedbackFor(program: Program, { examples }: Task): Feedback {
  const outcomes = examples.map(({ input }) => interpret(program, input));
  const right = outcomes.filter((outcome, i) => sameOutcome(outcome, examples[i]?.output ?? 'error')).length;
  if (right === examples.length) return 'all-passed';
  if (right > 0) return 'some-passed';
  return outcomes.every((outcome) => !isValue(outcome)) ? 'failed-to-run' : 'none-passed';
}

function edited(program: Program, edits: number, random: Random): Program {
  let result = program;
  for (let i = 0; i < edits; i++) result = editProgram(result, random, LONGEST_PROGRAM);
  return result;
}

/**
 * A wrong program that passes the public tests, if a few tries find one. From such parents a policy learns not to
 * repeat a program just because its feedback shows no failure.
 */
function falsePositiveParent(task: Task, random: Random): Program | null {
  for (let i = 0; i < FALSE_POSITIVE_TRIES; i++) {
    const parent = edited(task.program, 1 + random.integer(2), random);
    if (passes(parent, task.examples)) return parent;
  }
  return null;
}

/** The source of the refinement items' earlier programs, besides edits of the reference. */
type ParentSource = {
  readonly tasks: readonly Task[];
  readonly policy: PocketPolicy;
  readonly lacking: ReadonlySet<number>;
};

/** A first attempt of the present policy: its mistakes are those that it will see in a tree. */
function attempt(task: Task, policy: PocketPolicy, random: Random): Program {
  const encoded = encodePrompt(promptOf(task, 0, null));
  return sampleProgram(policy, encoded, random, { temperature: 1, topP: 1 }).program;
}

/**
 * The earlier program of a refinement item: an own attempt, a wrong program that passes the public tests, or an edit of
 * the reference (a small one for the refiner; a large one, or another task's program, for the solver). Never the
 * reference itself, since repeating it is not worth a node.
 */
function parentFor(task: Task, role: Role, source: ParentSource, random: Random): Program {
  const kind = random.uniform();
  const wrong = kind < 0.2 ? falsePositiveParent(task, random) : null;
  if (wrong !== null) return wrong;
  const own = kind < 0.6 ? attempt(task, source.policy, random) : task.program;
  if (own.join() !== task.program.join()) return own;
  for (;;) {
    const unrelated = role === 0 && random.uniform() < 0.3;
    const edits = role === 1 ? 1 : 1 + random.integer(3);
    const parent = unrelated ? pick(source.tasks, random).program : edited(task.program, edits, random);
    if (parent.join() !== task.program.join()) return parent;
  }
}

/** An edit of a reference that needs skills which the family lacks; the edit already contains all these steps. */
function partnersParent(task: Task, { lacking }: ParentSource, random: Random): Program {
  const foreign = (program: Program): string => program.filter((step) => lacking.has(step)).join();
  for (;;) {
    const parent = edited(task.program, 1 + random.integer(2), random);
    if (foreign(parent) === foreign(task.program) && parent.join() !== task.program.join()) return parent;
  }
}

function promptOf(task: Task, role: Role, parent: Program | null): ReadPrompt {
  const { clauses, reordered, omitted } = task.wording;
  const earlier = parent === null ? null : { program: parent, feedback: feedbackFor(parent, task) };
  return { style: 'stdin', clauses, reordered, omitted, examples: task.examples, role, earlier };
}

function itemOf(task: Task, role: Role, parent: Program | null): Item {
  return { encoded: encodePrompt(promptOf(task, role, parent)), program: task.program, repeats: false };
}

function repetitionOf(task: Task, role: Role, parent: Program): Item {
  return { encoded: encodePrompt(promptOf(task, role, parent)), program: parent, repeats: true };
}

function itemsOf(task: Task, source: ParentSource, random: Random): readonly Item[] {
  const role = (): Role => (random.uniform() < 0.5 ? 0 : 1);
  if (task.program.some((step) => source.lacking.has(step))) {
    return [itemOf(task, role(), partnersParent(task, source, random))];
  }
  const refinements = Array.from({ length: REFINEMENTS_PER_TASK }, () => {
    const drawn = role();
    return itemOf(task, drawn, parentFor(task, drawn, source, random));
  });
  const attempted = attempt(task, source.policy, random);
  const repetitions = [task.program, attempted].map((parent) => repetitionOf(task, role(), parent));
  return [itemOf(task, role(), null), ...repetitions, ...refinements];
}

function drawTasks(
  count: number,
  lengths: readonly number[],
  allowed: readonly number[],
  random: Random,
): readonly Task[] {
  const tasks: Task[] = [];
  while (tasks.length < count) {
    const task = nextTask({ split: 'train', length: pick(lengths, random), allowed }, random, () => true);
    if (task === null) break;
    tasks.push(task);
  }
  return tasks;
}

/** Steps that a family lacks it learns to keep (by the copy weights), never to write: these weights can only fall. */
function limitUnknownOperations(gradient: Float64Array, family: Family): void {
  const { rows } = LAYOUTS[family];
  for (const symbol of UNKNOWN_OPERATIONS[family]) {
    for (let i = symbol; i < rows * SYMBOLS; i += SYMBOLS) gradient[i] = Math.min(gradient[i] ?? 0, 0);
  }
}

/** A repetition less likely than this counts as unlearnt and gets no gradient. */
const RARE_REPETITION = 0.01;

/** Maximum weight of an item to unlearn: log(1 - p) has no bound as p approaches 1. */
const MAX_UNLEARNING = 3;

/** Maximum likelihood, or for a repetition the gradient of log(1 - p). */
function learn(
  policy: PocketPolicy,
  { encoded, program, repeats }: Item,
  share: number,
  gradient: Float64Array,
): void {
  if (!repeats) {
    addGradient(policy, encoded, program, share, gradient);
    return;
  }
  const trace = traceOf(policy.family, encoded, program);
  const probabilities = traceProbabilities(policy, trace);
  const p = Math.exp(traceLogProbability(trace, probabilities));
  if (p < RARE_REPETITION) return;
  const slope = -share * Math.min(p / (1 - p), MAX_UNLEARNING);
  const slopes = trace.map(() => slope);
  addTraceGradient(policy.family, trace, probabilities, slopes, gradient);
}

export type PretrainOptions = {
  readonly family: Family;
  readonly seed: number;
  /** Called from time to time with the share done, in [0, 1]. */
  readonly onProgress?: (share01: number) => void;
};

/**
 * Supervised learning of a family's base policy on tasks of the training split, some seconds of computing. The
 * same family and seed give the same checkpoint to the byte.
 */
export function pretrain({ family, seed, onProgress }: PretrainOptions): Checkpoint {
  const random = randomStream('pocket-pretrain', family, seed);
  const lacking = UNKNOWN_OPERATIONS[family];
  const { share, steps } = FAMILY_TRAITS[family].pretraining;
  const every = OPERATIONS.map((_, index) => index);
  const own = drawTasks(
    share * TASKS,
    steps === 2 ? SHORT_LENGTHS : LENGTHS,
    every.filter((step) => !lacking.has(step)),
    random,
  );
  const beyond = drawTasks(share * LACKING_SKILL_TASKS, PROBLEM_LENGTHS, every, random).filter(
    ({ program }) => program.some((step) => lacking.has(step)),
  );
  const policy: PocketPolicy = { family, seed, weights: new Float64Array(weightCount(family)) };
  const gradient = new Float64Array(policy.weights.length);
  const optimiser = adam(policy.weights.length);
  const source: ParentSource = { tasks: own, policy, lacking };
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const items = shuffled(
      [...own, ...beyond].flatMap((task) => itemsOf(task, source, random)),
      random,
    );
    for (let start = 0; start < items.length; start += BATCH) {
      const batch = items.slice(start, start + BATCH);
      for (const item of batch) learn(policy, item, 1 / batch.length, gradient);
      limitUnknownOperations(gradient, family);
      optimiser.step(policy.weights, gradient, RATE);
      if ((start / BATCH) % 64 === 0) onProgress?.((epoch + start / items.length) / EPOCHS);
    }
  }
  onProgress?.(1);
  return checkpointOf(policy, 'pre-training', 0);
}
