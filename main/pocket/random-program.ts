import type { Random } from '../base';
import { OPERATIONS, operationAt, operationsOf, type Program } from './operations';

export function pick<T>(items: readonly T[], random: Random): T {
  const item = items[random.integer(items.length)];
  if (item === undefined) throw new RangeError('Nothing to pick from');
  return item;
}

const everyOperation: readonly number[] = OPERATIONS.map((_, index) => index);
const listOperations: readonly number[] = everyOperation.filter((index) => !operationAt(index).final);

/** For each operation, all operations of its skill. */
const SAME_SKILL: readonly (readonly number[])[] = OPERATIONS.map(({ skill }) => operationsOf([skill]));

/**
 * A program of this many steps from the allowed operations (all by default). A list step drawn for the last
 * place is drawn again with probability 0.3, so that nearly half of the programs report a number.
 */
export function randomProgram(
  length: number,
  random: Random,
  allowed: readonly number[] = everyOperation,
): Program {
  const lists =
    allowed === everyOperation ? listOperations : allowed.filter((index) => !operationAt(index).final);
  return Array.from({ length }, (_, i) => {
    if (i < length - 1) return pick(lists, random);
    const last = pick(allowed, random);
    return operationAt(last).final || random.uniform() >= 0.3 ? last : pick(allowed, random);
  });
}

function isWellFormed(program: Program): boolean {
  return (
    program.length > 0 && program.every((index, i) => i === program.length - 1 || !operationAt(index).final)
  );
}

/** One random edit: replace (mostly within the skill), insert, delete or exchange neighbours. Never empty. */
export function editProgram(program: Program, random: Random, longest: number): Program {
  for (;;) {
    const kind = random.uniform();
    const at = random.integer(program.length);
    const edited = [...program];
    if (kind < 0.55) {
      edited[at] =
        random.uniform() < 0.5
          ? pick(SAME_SKILL[program[at] ?? 0] ?? everyOperation, random)
          : pick(everyOperation, random);
    } else if (kind < 0.75) {
      edited.splice(random.integer(program.length + 1), 0, pick(listOperations, random));
    } else if (kind < 0.9) {
      edited.splice(at, 1);
    } else {
      edited.splice(at, 2, ...edited.slice(at, at + 2).reverse());
    }
    if (isWellFormed(edited) && edited.length <= longest && edited.join() !== program.join()) return edited;
  }
}

/** Every program that is one edit away, in a fixed order. */
export function neighbours(program: Program): readonly Program[] {
  const programs = new Map<string, Program>();
  const add = (edited: readonly number[]): void => {
    if (isWellFormed(edited)) programs.set(edited.join(), edited);
  };
  for (let at = 0; at < program.length; at++) {
    add(program.toSpliced(at, 1));
    add(program.toSpliced(at, 2, ...program.slice(at, at + 2).reverse()));
    for (const index of everyOperation) add(program.toSpliced(at, 1, index));
  }
  for (let at = 0; at <= program.length; at++) {
    for (const index of everyOperation) add(program.toSpliced(at, 0, index));
  }
  programs.delete(program.join());
  return [...programs.values()];
}
