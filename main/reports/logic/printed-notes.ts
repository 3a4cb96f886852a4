import {
  COMPLEMENT_SENTENCE,
  COMPLEMENT_SHORT,
  ONE_SEED_SENTENCE,
  SAME_POLICIES_SENTENCE,
} from '../../../preload/contract/plans/index';
import { DIFFERENCES_SAY, LARGER_P } from './bold-notes';

/** Stand in print beside every table of such values. */
const ALWAYS = [COMPLEMENT_SENTENCE, `${COMPLEMENT_SHORT}.`, ONE_SEED_SENTENCE, SAME_POLICIES_SENTENCE];

/** Others stand there as far as all together have no more than these. */
const MAX_WORDS = 150;

const words = (text: string): number => text.split(/\s+/).length;

/** Under: without these nobody can read a table (what explains its marks, what is always said, and short ones). Beside: the others. */
export type PlacedNotes = Readonly<Record<'under' | 'beside', readonly string[]>>;

export function placedNotes(notes: readonly string[], marks: readonly string[]): PlacedNotes {
  const isNeeded = (note: string): boolean => marks.includes(note) || ALWAYS.includes(note);
  let left = MAX_WORDS - notes.filter(isNeeded).reduce((sum, note) => sum + words(note), 0);
  const under = notes.filter((note) => {
    if (isNeeded(note)) return true;
    if (words(note) > left) return false;
    left -= words(note);
    return true;
  });
  const beside = notes.filter((note) => !under.includes(note));
  return { under: under.map((note) => note.replace(DIFFERENCES_SAY, LARGER_P)), beside };
}
