import type { TrainingView } from '../training';
import type { TrainingSpec } from '../training-spec';
import type { SweepMeasure } from '../training-sweep';
import { MARTI_FLAGS } from './marti-flags';
import { seedOfTraining } from './training-seed';

/** The trainings of a sweep by a foreign trainer with the same values. */
export type SweepRow<T> = { readonly label: string; readonly trainings: readonly T[] };

type Swept = Pick<TrainingView, 'id' | 'name' | 'spec' | 'createdAt'>;

/**
 * The sweep that a training is part of; null: of none, or it is an experiment's, which has a table of its own. Its trainings are
 * named by their values and seed (`readSweep`) and are alike in all else, so that more seeds that are started later belong to it too.
 * Of one row and seed the newest counts.
 */
export function sweepOfTraining<T extends Swept>(
  training: T,
  all: readonly T[],
): { readonly name: string; readonly rows: readonly SweepRow<T>[] } | null {
  const own = placeOf(training);
  if (own === null) return null;
  const rows = new Map<string, Map<string, T>>();
  for (const other of all.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))) {
    const place = placeOf(other);
    if (place?.key !== own.key) continue;
    const row = rows.get(place.label) ?? new Map<string, T>();
    rows.set(place.label, row.set(String(seedOfTraining(other.spec)), other));
  }
  const found = [...rows].map(([label, bySeed]) => ({ label, trainings: [...bySeed.values()] }));
  return found.flatMap((row) => row.trainings).length < 2 ? null : { name: own.name, rows: found };
}

const LAST_PART = /^(.+), ([\w.-]{1,80}) ([^,]{1,120})$/;

/** Where its name and settings put it in a sweep; null: it is no training by MARTI or a recipe, or nothing of it was varied. */
function placeOf({ name, spec }: Swept) {
  if (spec.kind !== 'marti' && spec.kind !== 'recipe') return null;
  const known = spec.kind === 'marti' ? MARTI_FLAGS.map((flag) => flag.name) : Object.keys(spec.values);
  const parts: { readonly id: string; readonly text: string }[] = [];
  let rest = name;
  for (let match = LAST_PART.exec(rest); match !== null; match = LAST_PART.exec(rest)) {
    const [, before = '', id = '', text = ''] = match;
    if (!known.includes(id)) break;
    parts.unshift({ id, text });
    rest = before;
  }
  if (parts.length === 0) return null;
  const ids = parts.map(({ id }) => id);
  const values = parts.filter(({ id }) => id !== 'seed').map(({ id, text }) => `${id} ${text}`);
  return {
    name: rest,
    label: values.length === 0 ? rest : values.join(', '),
    key: JSON.stringify([rest, ids.filter((id) => id !== 'seed'), unvaried(spec, ids, parts)]),
  };
}

/** The settings that all of a sweep have: without what varies, and without the folder that each writes to. */
function unvaried(
  spec: TrainingSpec,
  ids: readonly string[],
  parts: readonly { readonly id: string; readonly text: string }[],
): unknown {
  const folder = `/${parts.map(({ id, text }) => `${id} ${text}`.replace(/[^\w.-]+/g, '-')).join('_')}`;
  const plain = (text: string): string => (text.endsWith(folder) ? text.slice(0, -folder.length) : text);
  const others = (settings: Readonly<Record<string, unknown>>) =>
    Object.entries(settings)
      .filter(([id]) => id !== 'seed' && !ids.includes(id))
      .map(([id, value]) => [id, typeof value === 'string' ? plain(value) : value])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  if (spec.kind === 'marti') return { ...spec, output: plain(spec.output), flags: others(spec.flags) };
  return spec.kind === 'recipe' ? { ...spec, values: others(spec.values) } : spec;
}

/** "pass@1, last", "one: eval_loss, best (lowest)". */
export function sweepMeasureText({ agentId, key, of, best }: SweepMeasure): string {
  return `${agentId === null ? '' : `${agentId}: `}${key}, ${of === 'last' ? 'last' : `best (${best})`}`;
}

/** Trainers log shares and other numbers alike, so all are written as they are. */
export function sweepNumber(value: number): string {
  return String(Number(value.toPrecision(4)));
}
