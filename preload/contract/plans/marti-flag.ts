import type { MartiTraining } from '../training-spec';

export type MartiPreset = MartiTraining['preset'];
export type MartiFlagValue = string | number | boolean;

/** What a flag takes. A pair is two numbers with a space between them, e.g. "0 1". */
export type MartiFlagKind =
  | { readonly kind: 'switch' }
  | { readonly kind: 'whole'; readonly least: number; readonly most: number }
  | { readonly kind: 'number'; readonly least: number; readonly most: number }
  | { readonly kind: 'pair'; readonly least: number; readonly most: number }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'text' };

/** In the order in which a form shows them. */
export const MARTI_FLAG_GROUPS = [
  'gpus',
  'search',
  'lengths',
  'batches',
  'sampling',
  'objective',
  'optimiser',
  'memory',
  'data',
  'saving',
] as const;
export type MartiFlagGroup = (typeof MARTI_FLAG_GROUPS)[number];

export const MARTI_GROUP_TITLES: Readonly<Record<MartiFlagGroup, string>> = {
  gpus: 'GPUs and engines',
  search: 'Tree search',
  lengths: 'Lengths, in tokens',
  batches: 'Batches and duration',
  sampling: 'Sampling',
  objective: 'Rewards and loss',
  optimiser: 'Optimiser',
  memory: 'Memory and speed',
  data: 'Data',
  saving: 'Saving and evaluation',
};

/**
 * One setting of MARTI's trainer. A name with a dot is a field of a JSON argument (`workflow_args.max_num_nodes`), one
 * in capitals an environment variable; every other is a flag without its dashes.
 */
export type MartiFlag = {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly group: MartiFlagGroup;
  readonly takes: MartiFlagKind;
  /** Passed where nothing else is said; null: not passed, so that MARTI's own default holds (`own`). */
  readonly defaults: Readonly<Record<MartiPreset, MartiFlagValue | null>>;
  /** What MARTI's argument parser takes where the flag is not passed, in words; null: the scripts always pass it. */
  readonly martiDefault: string | null;
};

type Defaults = MartiFlag['defaults'];
type Texts = { readonly label: string; readonly help: string };

/** The same in every preset. */
export function inEveryPreset(value: MartiFlagValue | null): Defaults {
  return { grpo: value, single: value, shared: value, multi: value };
}

/** One model for all roles runs as a single one does. */
export function byPreset(
  grpo: MartiFlagValue | null,
  single: MartiFlagValue | null,
  multi: MartiFlagValue | null,
) {
  return { grpo, single, shared: single, multi };
}

/** Flags of one group: the helper that a table of them is written with. */
export function flagsOf(group: MartiFlagGroup) {
  const flag =
    (takes: MartiFlagKind, own: string | null = null) =>
    (name: string, defaults: Defaults, texts: Texts): MartiFlag => ({
      name,
      ...texts,
      group,
      takes,
      defaults,
      martiDefault: own,
    });
  return {
    whole: (least: number, most: number, own: string | null = null) =>
      flag({ kind: 'whole', least, most }, own),
    number: (least: number, most: number, own: string | null = null) =>
      flag({ kind: 'number', least, most }, own),
    pair: (least: number, most: number, own: string | null = null) =>
      flag({ kind: 'pair', least, most }, own),
    choice: (choices: readonly string[], own: string | null = null) => flag({ kind: 'choice', choices }, own),
    onOff: flag({ kind: 'switch' }),
    text: flag({ kind: 'text' }),
  };
}
