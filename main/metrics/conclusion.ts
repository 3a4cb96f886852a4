import type { Analysis } from '../../preload/contract';
import { limitChip } from '../../preload/contract/plans';

type Chip = NonNullable<Analysis['chips']>[number];

/** What can be said, in one line (`short`, for a chip) and with its grounds (`long`, a sentence). */
export type Conclusion = {
  readonly kind: Chip['kind'];
  readonly short: string;
  readonly long: string;
};

/** What limits other conclusions. */
export function limit(short: string, long: string): Conclusion {
  return { kind: 'limit', short, long };
}

/** The same, in one line as the first clause of its sentence. */
export function limitOf(long: string): Conclusion {
  return limit(limitChip(long).text, long);
}

export function conclusionTexts(all: readonly Conclusion[]): {
  readonly sentences: string[];
  readonly chips: Chip[];
} {
  return {
    sentences: all.map(({ long }) => long),
    chips: all.map(({ kind, short }) => ({ kind, text: short })),
  };
}
