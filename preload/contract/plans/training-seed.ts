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
