/** Whose settings a form shows: the kinds of training that the workbench's own loop runs. */
export type OwnTrainer = 'pocket' | 'model';

type FieldKind =
  | { readonly kind: 'whole'; readonly least: number; readonly most: number }
  /** `above`: the least itself is too little. */
  | {
      readonly kind: 'number';
      readonly least: number;
      readonly most: number;
      readonly exclusiveMinimum?: true;
    }
  /** A path on the machine, of at most `most` characters. */
  | { readonly kind: 'path'; readonly most: number }
  | {
      readonly kind: 'choice';
      readonly choices: readonly { readonly value: string; readonly label: string }[];
    };

export type TrainingField = {
  /** Where it stands in a training, e.g. "objective.shaping.strength". */
  readonly id: string;
  readonly label: string;
  /** A short sentence; "" where the label says it all. */
  readonly help: string;
  readonly unit?: string;
  /** What 0 means, where it is no amount. */
  readonly zero?: string;
  /** What an empty field means, shown in it. */
  readonly placeholder?: string;
  readonly kind: FieldKind;
  /** Empty: it is left out, or switched off. */
  readonly optional?: true;
  /** Left out: of every own training. */
  readonly only?: OwnTrainer;
};

export type TrainingFieldGroup = {
  readonly id:
    | 'size'
    | 'adapter'
    | 'choice'
    | 'shaping'
    | 'advantage'
    | 'loss'
    | 'kl'
    | 'overlong'
    | 'filter'
    | 'evaluation'
    | 'writer'
    | 'compute';
  readonly title: string;
  /** What it computes, in the signs of docs/training.md; "" for none. */
  readonly formula: string;
  readonly fields: readonly TrainingField[];
};

export const wholeNumber = (least: number, most: number): FieldKind => ({ kind: 'whole', least, most });
export const number = (least: number, most: number): FieldKind => ({ kind: 'number', least, most });
export const numberAbove = (least: number, most: number): FieldKind => ({
  kind: 'number',
  least,
  most,
  exclusiveMinimum: true,
});
export const path = (most: number): FieldKind => ({ kind: 'path', most });
export const choice = (...choices: { readonly value: string; readonly label: string }[]): FieldKind => ({
  kind: 'choice',
  choices,
});
