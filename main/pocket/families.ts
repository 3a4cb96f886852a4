import type { Skill } from './operations';

export const FAMILIES = ['reader', 'tracer'] as const;
export type Family = (typeof FAMILIES)[number];

export type FamilyTraits = {
  /** Knows which clause stands where; else only which words occur. */
  readonly readsInOrder: boolean;
  /** Compares the examples' inputs and outputs before it writes. */
  readonly looksAtExamples: boolean;
  /** Follows what its own program makes of the examples' inputs while it writes. */
  readonly executes: boolean;
  /** Skills that no program had which it was pre-trained to write. */
  readonly lacks: readonly Skill[];
};

export const FAMILY_TRAITS: Readonly<Record<Family, FamilyTraits>> = {
  reader: { readsInOrder: true, looksAtExamples: true, executes: false, lacks: ['nonneg', 'scan', 'zip'] },
  tracer: { readsInOrder: false, looksAtExamples: false, executes: true, lacks: ['cut', 'keep'] },
};

export function isFamily(name: string): name is Family {
  return FAMILIES.some((family) => family === name);
}
