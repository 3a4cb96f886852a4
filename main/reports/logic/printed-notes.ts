import {
  COMPLEMENT_SENTENCE,
  COMPLEMENT_SHORT,
  ONE_SEED_SENTENCE,
  SAME_POLICIES_SENTENCE,
} from '../../../preload/contract/plans/index';
import { DIFFERENCES_NOTE, LARGER_P } from './bold-notes';

/** Stand in print beside every table of such values. */
const ALWAYS = [COMPLEMENT_SENTENCE, `${COMPLEMENT_SHORT}.`, ONE_SEED_SENTENCE, SAME_POLICIES_SENTENCE];

/** Further notes are printed there up to this total length. */
const LONGEST_PRINT = 200;

const words = (text: string): number => text.split(/\s+/).length;

/**
 * Under: notes that are needed to read the table (its marks, required sentences, and short ones). Beside: all others.
 */
export type PlacedNotes = Readonly<Record<'under' | 'beside', readonly string[]>>;

/** `marks` and `limits` are among the notes: the first are needed, and of the others the limits, what is counted and the table's own come first. */
export function placedNotes(
  notes: readonly string[],
  { marks, limits }: Readonly<Record<'marks' | 'limits', readonly string[]>>,
): PlacedNotes {
  const shown = new Set(notes.filter((note) => marks.includes(note) || ALWAYS.includes(note)));
  let left = LONGEST_PRINT - [...shown].reduce((sum, note) => sum + words(note), 0);
  const counted = notes.filter((note) => /: (share|chance) of\b/.test(note));
  const ofTable = notes.filter((note) => !/^(Search:|Agents\.) /.test(note));
  for (const note of [...limits, ...counted, ...ofTable, ...notes]) {
    if (shown.has(note) || words(note) > left) continue;
    shown.add(note);
    left -= words(note);
  }
  return {
    under: notes.filter((note) => shown.has(note)).map((note) => note.replace(DIFFERENCES_NOTE, LARGER_P)),
    beside: notes.filter((note) => !shown.has(note)),
  };
}
