import { type Random, randomStream, shuffled } from '../base';
import { adam } from './adam';
import { type Checkpoint, checkpointOf } from './checkpoint';
import { passes } from './examples';
import { FAMILY_TRAITS, type Family } from './families';
import { type Encoded, encodePrompt, LONGEST_PROGRAM } from './features';
import { interpret, isValue, sameOutcome } from './interpret';
import { operationsOf, type Program, SKILLS } from './operations';
import { addGradient, type PocketPolicy, weightCount } from './policy';
import type { Feedback, ReadPrompt, Role } from './prompt';
import { editProgram, pick } from './random-program';
import { nextTask, type Task } from './tasks';

/** Chosen on the validation split; docs/pocket.md tells what was tried. */
const TASKS = 3_000;
const LENGTHS: readonly number[] = [1, 2, 3, 3];
const EPOCHS = 3;
const BATCH = 32;
const RATE = 0.02;
const REFINEMENTS_PER_TASK = 3;
/** Edits tried when a wrong parent that passes the public tests is looked for. */
const LUCKY_TRIES = 40;

type Item = { readonly encoded: Encoded; readonly target: Program };

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
 * A wrong program that passes the public tests, where a few tries find one: from these a policy learns that
 * feedback without a failure is no reason to write the same again.
 */
function luckyParent(task: Task, random: Random): Program | null {
  for (let i = 0; i < LUCKY_TRIES; i++) {
    const parent = edited(task.program, 1 + random.integer(2), random);
    if (passes(parent, task.examples)) return parent;
  }
  return null;
}

/** What an earlier program looks like: near the reference for the refiner; far off, or another task's, for the solver. */
function parentFor(task: Task, others: readonly Task[], role: Role, random: Random): Program {
  const lucky = random.uniform() < 0.25 ? luckyParent(task, random) : null;
  if (lucky !== null) return lucky;
  for (;;) {
    const unrelated = role === 0 && random.uniform() < 0.4;
    const edits = role === 1 ? 1 : 1 + random.integer(3);
    const parent = unrelated ? pick(others, random).program : edited(task.program, edits, random);
    // The parent is never the target: to write the same program again is never worth a node.
    if (parent.join() !== task.program.join()) return parent;
  }
}

function itemOf(task: Task, role: Role, parent: Program | null): Item {
  const { clauses, reordered, omitted } = task.wording;
  const earlier = parent === null ? null : { program: parent, feedback: feedbackFor(parent, task) };
  const prompt: ReadPrompt = {
    style: 'stdin',
    clauses,
    reordered,
    omitted,
    examples: task.examples,
    role,
    earlier,
  };
  return { encoded: encodePrompt(prompt), target: task.program };
}

function itemsOf(task: Task, tasks: readonly Task[], random: Random): readonly Item[] {
  const roleOf = (): Role => (random.uniform() < 0.5 ? 0 : 1);
  const refinements = Array.from({ length: REFINEMENTS_PER_TASK }, () => {
    const role = roleOf();
    return itemOf(task, role, parentFor(task, tasks, role, random));
  });
  return [itemOf(task, roleOf(), null), ...refinements];
}

export type PretrainOptions = {
  readonly family: Family;
  readonly seed: number;
  /** Told the share done, in [0, 1], from time to time. */
  readonly onProgress?: (share01: number) => void;
};

/**
 * Supervised learning of a family's base policy on tasks of the training split, some seconds of computing. The
 * same family and seed give the same checkpoint to the byte.
 */
export function pretrain({ family, seed, onProgress }: PretrainOptions): Checkpoint {
  const random = randomStream('pocket-pretrain', family, seed);
  const { lacks } = FAMILY_TRAITS[family];
  const allowed = operationsOf(SKILLS.filter((skill) => !lacks.includes(skill)));
  const tasks: Task[] = [];
  while (tasks.length < TASKS) {
    const task = nextTask({ split: 'train', lengths: LENGTHS, allowed }, random, () => true);
    if (task === null) break;
    tasks.push(task);
  }
  const policy: PocketPolicy = { family, seed, weights: new Float64Array(weightCount(family)) };
  const gradient = new Float64Array(policy.weights.length);
  const optimiser = adam(policy.weights.length);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const items = shuffled(
      tasks.flatMap((task) => itemsOf(task, tasks, random)),
      random,
    );
    for (let start = 0; start < items.length; start += BATCH) {
      const batch = items.slice(start, start + BATCH);
      for (const { encoded, target } of batch)
        addGradient(policy, encoded, target, 1 / batch.length, gradient);
      optimiser.step(policy.weights, gradient, RATE);
      if ((start / BATCH) % 64 === 0) onProgress?.((epoch + start / items.length) / EPOCHS);
    }
  }
  onProgress?.(1);
  return checkpointOf(policy, 'pre-training', 0);
}
