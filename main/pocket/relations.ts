import type { Outcome, Value } from './operation-kinds';

/** Simple relations between a list and the expected list. */
type ListRelation = (now: readonly number[], wanted: readonly number[]) => boolean;
type NumberRelation = (now: readonly number[], wanted: number) => boolean;

function each(map: (x: number, i: number) => number): ListRelation {
  return (now, wanted) => now.length === wanted.length && now.every((x, i) => map(x, i) === wanted[i]);
}

function all(holds: (x: number) => boolean): ListRelation {
  return (_, wanted) => wanted.every(holds);
}

const key = (xs: readonly number[]): string => [...xs].sort((a, b) => a - b).join();

function isSubsequence(now: readonly number[], wanted: readonly number[]): boolean {
  let found = 0;
  for (const x of now) if (x === wanted[found]) found += 1;
  return found === wanted.length;
}

/** Their order is part of every checkpoint. A relation counts only if it holds on all examples. */
const LIST_RELATIONS: readonly ListRelation[] = [
  each((x) => x),
  (now, wanted) => now.length === wanted.length,
  (now, wanted) => now.length > wanted.length,
  (now, wanted) => now.length === wanted.length + 1,
  (now, wanted) => now.length === wanted.length + 2,
  (_, wanted) => wanted.length === 2,
  (_, wanted) => wanted.length === 3,
  (now, wanted) => now.length === wanted.length && key(now) === key(wanted),
  (now, wanted) => now.length === wanted.length && now.every((x, i) => x === wanted[wanted.length - 1 - i]),
  (now, wanted) => wanted.every((x, i) => x === now[i]),
  (now, wanted) => wanted.every((x, i) => x === now[now.length - wanted.length + i]),
  isSubsequence,
  (now, wanted) => wanted.every((x) => now.includes(x)),
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
  (now, wanted) => new Set(now).size > new Set(wanted).size && new Set(wanted).size === wanted.length,
  (now, wanted) => Math.max(...wanted.map(Math.abs)) > 2 * Math.max(...now.map(Math.abs)),
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
  const count = wantsNumber ? NUMBER_RELATIONS.length : LIST_RELATIONS.length;
  for (let index = 0; index < count; index++) {
    const holds = lists.every((list, i) => {
      const value = wanted[i];
      if (typeof value === 'number') return wantsNumber && NUMBER_RELATIONS[index]?.(list, value) === true;
      return value !== undefined && !wantsNumber && LIST_RELATIONS[index]?.(list, value) === true;
    });
    if (holds) found.push(index + (wantsNumber ? NUMBERS_FROM : 0));
  }
  if (wantsNumber) found.push(other('list-for-number'));
  return found;
}
