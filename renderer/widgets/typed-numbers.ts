/** A whole number as typed, or why it is none that can be used here. Bounds are the contract's. */
export type ReadNumber =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly message: string };

/** Largest seed of the terminal's `--seeds`; the window keeps to it so that both can repeat a run. */
const MOST_SEED = 2_147_483_647;
const MOST_SEEDS = 100;

export function wholeNumber(text: string, [least, most]: readonly [number, number]): ReadNumber {
  const value = Number(text.trim());
  if (/^\d+$/.test(text.trim()) && value >= least && value <= most) return { ok: true, value };
  return {
    ok: false,
    message: `A whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}.`,
  };
}

export function numberIn(text: string, [least, most]: readonly [number, number]): ReadNumber {
  const value = Number(text.trim());
  if (text.trim() !== '' && value >= least && value <= most) return { ok: true, value };
  return {
    ok: false,
    message: `A number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}.`,
  };
}

export type ReadSeeds =
  | { readonly ok: true; readonly value: readonly number[] }
  | { readonly ok: false; readonly message: string };

/** "1, 2, 3" or "1 2 3": each seed is a whole repetition. */
export function seedsOf(text: string): ReadSeeds {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  if (parts.length === 0) return { ok: false, message: 'Enter at least one seed, e.g. 1.' };
  const bad = parts.find((part) => !/^\d+$/.test(part) || Number(part) > MOST_SEED);
  if (bad !== undefined) {
    return {
      ok: false,
      message: `"${bad}" is not a seed. Enter whole numbers separated by commas, e.g. 1, 2, 3.`,
    };
  }
  const seeds = parts.map(Number);
  const twice = seeds.find((seed, at) => seeds.indexOf(seed) !== at);
  if (twice !== undefined) {
    return { ok: false, message: `Seed ${twice} is listed twice.` };
  }
  if (seeds.length > MOST_SEEDS) return { ok: false, message: `At most ${MOST_SEEDS} seeds.` };
  return { ok: true, value: seeds };
}
