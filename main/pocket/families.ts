import type { Skill } from './operation-kinds';

export const FAMILIES = ['reader', 'tracer', 'weak', 'reader-large', 'tracer-large'] as const;
export type Family = (typeof FAMILIES)[number];

/** The families whose programs the reward model learns from. */
export const STRONG_FAMILIES = ['reader', 'tracer'] as const satisfies readonly Family[];

export type FamilyTraits = {
  /** Reads the order of the clauses; otherwise only which words occur. */
  readonly readsInOrder: boolean;
  /** Compares the examples' inputs and outputs before it writes. */
  readonly readsExamples: boolean;
  /** Executes its unfinished program on the examples' inputs while it writes. */
  readonly executes: boolean;
  /** Skills that are missing from its pre-training programs. */
  readonly lacks: readonly Skill[];
  /** Pre-training: tasks as a multiple of the plain family's, and the maximum steps of a task. */
  readonly pretraining: { readonly share: number; readonly steps: 2 | 3 };
};

const READER: FamilyTraits = {
  readsInOrder: true,
  readsExamples: true,
  executes: false,
  lacks: ['nonneg', 'scan', 'zip'],
  pretraining: { share: 1, steps: 3 },
};

const TRACER: FamilyTraits = {
  readsInOrder: false,
  readsExamples: false,
  executes: true,
  lacks: ['cut', 'keep'],
  pretraining: { share: 1, steps: 3 },
};

export const FAMILY_TRAITS: Readonly<Record<Family, FamilyTraits>> = {
  reader: READER,
  tracer: TRACER,
  // For teams with a clearly weaker member.
  weak: {
    readsInOrder: true,
    readsExamples: false,
    executes: false,
    lacks: ['keep', 'scan', 'zip'],
    pretraining: { share: 0.5, steps: 2 },
  },
  // Stand-ins for the papers' larger models. More tasks alone do not improve these policies (docs/pocket.md, "What was
  // tried"), so they also know one more skill.
  'reader-large': { ...READER, lacks: ['scan', 'zip'], pretraining: { share: 2, steps: 3 } },
  'tracer-large': { ...TRACER, lacks: ['keep'], pretraining: { share: 2, steps: 3 } },
};

export function isFamily(name: string): name is Family {
  return FAMILIES.some((family) => family === name);
}

export function ofEachFamily<T>(make: (family: Family) => T): Readonly<Record<Family, T>> {
  return Object.fromEntries(FAMILIES.map((family) => [family, make(family)])) as Record<Family, T>;
}
