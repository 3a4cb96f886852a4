import type { Outcome, Value } from './operation-kinds';

/** Simple relations between a list and the expected list. */
type ListRelation = (now: readonly number[], wanted: readonly number[]) => boolean;
type NumberRelation = (now: readonly number[], wanted: number) => boolean;

function each(map: (x: number, i: number) => number): ListRelation {
  return (now, wanted) => {
    if (now.length !== wanted.length) return false;
    for (let i = 0; i < now.length; i++) if (map(now[i] as number, i) !== wanted[i]) return false;
    return true;
  };
}

function all(holds: (x: number) => boolean): ListRelation {
  return (_, wanted) => {
    for (const x of wanted) if (!holds(x)) return false;
    return true;
  };
}

const ascending = (xs: readonly number[]): number[] => [...xs].sort((a, b) => a - b);
const sameList = each((x) => x);
const isWithin: ListRelation = (now, wanted) => wanted.every((x) => now.includes(x));

function isSubsequence(now: readonly number[], wanted: readonly number[]): boolean {
  let found = 0;
  for (const x of now) if (x === wanted[found]) found += 1;
  return found === wanted.length;
}

/** Without `now`'s repetitions, in any order and cut anywhere: fewer different numbers, each once. */
function dropsRepetitions(now: readonly number[], wanted: readonly number[]): boolean {
  if (now.length <= wanted.length || new Set(wanted).size !== wanted.length) return false;
  return new Set(now).size > wanted.length;
}

function largestMagnitude(xs: readonly number[]): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (const x of xs) largest = Math.max(largest, Math.abs(x));
  return largest;
}

/** Their order is part of every checkpoint. A relation counts only if it holds on all examples. */
const LIST_RELATIONS: readonly ListRelation[] = [
  sameList,
  (now, wanted) => now.length === wanted.length,
  (now, wanted) => now.length > wanted.length,
  (now, wanted) => now.length === wanted.length + 1,
  (now, wanted) => now.length === wanted.length + 2,
  (_, wanted) => wanted.length === 2,
  (_, wanted) => wanted.length === 3,
  (now, wanted) =>
    now.length === wanted.length && isWithin(now, wanted) && sameList(ascending(now), ascending(wanted)),
  (now, wanted) => now.length === wanted.length && now.every((x, i) => x === wanted[wanted.length - 1 - i]),
  (now, wanted) => wanted.every((x, i) => x === now[i]),
  (now, wanted) => wanted.every((x, i) => x === now[now.length - wanted.length + i]),
  isSubsequence,
  isWithin,
  (_, wanted) => wanted.every((x, i) => i === 0 || x >= (wanted[i - 1] ?? x)),
  (_, wanted) => wanted.every((x, i) => i === 0 || x <= (wanted[i - 1] ?? x)),
  (_, wanted) => wanted.every((x, i) => x === wanted[wanted.length - 1 - i]),
  (now, wanted) => now.length > 0 && now[0] === wanted[0],
  (now, wanted) => now.length > 0 && now[now.length - 1] === wanted[wanted.length - 1],
  each((x) => x + 1),
  each((x) => x - 1),
  each((x) => x * 2),
  each((x) => x * 3),
  each((x) => 0 - x),
  each(Math.abs),
  each((x) => x * x),
  each((x) => Math.floor(x / 2)),
  each((x, i) => x + i),
  all((x) => x % 2 === 0),
  all((x) => x % 2 !== 0),
  all((x) => x % 3 === 0),
  all((x) => x > 0),
  all((x) => x < 0),
  all((x) => x >= 0),
  dropsRepetitions,
  (now, wanted) => largestMagnitude(wanted) > 2 * largestMagnitude(now),
];

const NUMBER_RELATIONS: readonly NumberRelation[] = [
  () => true,
  (now, wanted) => now.reduce((sum, x) => sum + x, 0) === wanted,
  (now, wanted) => Math.max(...now) === wanted,
  (now, wanted) => Math.min(...now) === wanted,
  (now, wanted) => now.length === wanted,
  (now, wanted) => now[now.length - 1] === wanted,
  (now, wanted) => now[0] === wanted,
  (now, wanted) => now.includes(wanted),
  (now, wanted) => wanted > Math.max(...now),
  (now, wanted) => wanted < Math.min(...now),
  (_, wanted) => wanted >= 0 && wanted <= 6,
  (_, wanted) => wanted % 2 === 0,
];

/** Numbers where lists are expected, and failures. */
const OTHER_RELATIONS = [
  'number-for-list',
  'number-right',
  'number-wrong',
  'failed',
  'some-right',
  'list-for-number',
] as const;

const NUMBERS_FROM = LIST_RELATIONS.length;
const OTHERS_FROM = NUMBERS_FROM + NUMBER_RELATIONS.length;
export const RELATION_COUNT = OTHERS_FROM + OTHER_RELATIONS.length;

function other(name: (typeof OTHER_RELATIONS)[number]): number {
  return OTHERS_FROM + OTHER_RELATIONS.indexOf(name);
}

function isRight(now: Outcome, wanted: Value): boolean {
  if (typeof now === 'number' || typeof wanted === 'number') return now === wanted;
  return typeof now === 'object' && now.length === wanted.length && now.every((x, i) => x === wanted[i]);
}

/** Indices of the relations that hold between `now` and `wanted` on every example; none without examples. */
export function relationsBetween(now: readonly Outcome[], wanted: readonly Value[]): readonly number[] {
  if (wanted.length === 0) return [];
  const right = wanted.filter((value, i) => isRight(now[i] ?? 'error', value)).length;
  const found: number[] = right > 0 && right < wanted.length ? [other('some-right')] : [];
  const lists: (readonly number[])[] = [];
  for (const value of now) {
    if (typeof value === 'string') return [...found, other('failed')];
    if (typeof value === 'object') lists.push(value);
  }
  if (lists.length < wanted.length) {
    if (typeof wanted[0] === 'object') return [...found, other('number-for-list')];
    return [...found, other(right === wanted.length ? 'number-right' : 'number-wrong')];
  }
  const wantsNumber = typeof wanted[0] === 'number';
  const relations = wantsNumber ? NUMBER_RELATIONS : LIST_RELATIONS;
  const from = wantsNumber ? NUMBERS_FROM : 0;
  const comparable =
    lists.length === wanted.length && wanted.every((value) => (typeof value === 'number') === wantsNumber);
  for (let index = 0; comparable && index < relations.length; index++) {
    // The kinds were compared above, which the types cannot say.
    const relation = relations[index] as (list: readonly number[], value: Value) => boolean;
    if (lists.every((list, i) => relation(list, wanted[i] as Value))) found.push(index + from);
  }
  if (wantsNumber) found.push(other('list-for-number'));
  return found;
}
