import type { TrainingSpec } from '../training-spec';

/** The seed that a training was asked for; null: it has none, or only its trainer knows it. */
export function seedOfTraining(spec: TrainingSpec): number | null {
  switch (spec.kind) {
    case 'pocket':
    case 'model':
      return spec.seed;
    case 'marti':
      return wholeNumber(spec.flags.seed);
    case 'recipe':
      return wholeNumber(spec.values.seed);
    case 'watched':
      return null;
  }
}

function wholeNumber(value: unknown): number | null {
  const number = value === '' || value === undefined ? Number.NaN : Number(value);
  return Number.isInteger(number) && number >= 0 ? number : null;
}

/** What makes trainings alike that differ in their seed: all but that and the folder that they write to, which a sweep names by it. */
export function withoutSeed(spec: TrainingSpec): object {
  switch (spec.kind) {
    case 'marti':
      return { ...spec, output: null, flags: { ...spec.flags, seed: null } };
    case 'recipe': {
      const folder = new RegExp(`seed-${seedOfTraining(spec)}$`);
      const values = Object.entries(spec.values).map(([id, value]) => [id, value.replace(folder, '')]);
      return { ...spec, values: { ...Object.fromEntries(values), seed: null } };
    }
    default:
      return { ...spec, seed: null };
  }
}

/** As a sweep names its trainings: "Two readers, rate 1e-6" of "Two readers, rate 1e-6, seed 2". */
export function nameWithoutSeed(name: string): string {
  return name.replace(/, seed \d{1,10}$/, '');
}
