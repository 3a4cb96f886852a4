/** Seeds as typed, or the reason why they cannot be used. */
export type ReadSeeds =
  | { readonly ok: true; readonly value: readonly number[] }
  | { readonly ok: false; readonly message: string };

/** Largest seed that the window and the terminal take, so that each can repeat the other's runs. */
const MAX_SEED = 2_147_483_647;
/** Of one study or experiment. */
export const MAX_SEEDS = 100;

/** Reads "1, 2, 3", "1 2 3" or ranges ("1-3"), at most `most` seeds; an empty text is an empty list. */
export function readSeeds(text: string, most: number): ReadSeeds {
  const seeds: number[] = [];
  for (const part of text.split(/[\s,;]+/)) {
    if (part === '') continue;
    const [first, last] = rangeOf(part);
    if (first === undefined || last === undefined) {
      return refused(`"${part}" is not a seed. Enter whole numbers or a range, e.g. 1, 2, 3 or 1-3.`);
    }
    if (last < first) return refused(`"${part}" goes down. Enter a range from its smaller seed, e.g. 1-3.`);
    // Checked before the range is written out: it can be as long as the largest seed.
    if (seeds.length + last - first + 1 > most) return refused(`At most ${most} seeds.`);
    for (let seed = first; seed <= last; seed += 1) seeds.push(seed);
  }
  const twice = seeds.find((seed, at) => seeds.indexOf(seed) !== at);
  if (twice !== undefined) {
    return refused(`Seed ${twice} is listed twice. Enter each seed once: repeating it measures nothing new.`);
  }
  return { ok: true, value: seeds };
}

/** As `readSeeds`, of a form that needs at least one. */
export function requiredSeeds(text: string): ReadSeeds {
  return text.trim() === '' ? refused('Enter at least one seed, e.g. 1.') : readSeeds(text, MAX_SEEDS);
}

/** The ends of "3" or "1-3"; empty where it is neither. */
function rangeOf(part: string): readonly number[] {
  const ends = part.split('-');
  const isRange = ends.length <= 2 && ends.every((end) => /^\d+$/.test(end) && Number(end) <= MAX_SEED);
  return isRange ? [Number(ends[0]), Number(ends.at(-1))] : [];
}

function refused(message: string): ReadSeeds {
  return { ok: false, message };
}
