import {
  COMPLEMENT_SENTENCE,
  COMPLEMENT_SHORT,
  ONE_SEED_SENTENCE,
  SAME_POLICIES_SENTENCE,
} from '../../../preload/contract/plans/index';
import { DIFFERENCES_NOTE, LARGER_P } from './bold-notes';

/** Stand in print beside every table of such values. */
const ALWAYS = [COMPLEMENT_SENTENCE, `${COMPLEMENT_SHORT}.`, ONE_SEED_SENTENCE, SAME_POLICIES_SENTENCE];

/** Also what is damaged, as its numbers may be wrong, and what makes intervals or differences mean less. */
export function isNeeded(note: string): boolean {
  return (
    ALWAYS.includes(note) ||
    /\b(is missing\. |is damaged|newer version wrote|graded by different tests|looking \d+ times)/.test(note)
  );
}

/** The words that stand under a table at most, in all: a paper has less room than a page of text. */
export const WORD_LIMITS = { latex: 200, markdown: 900 } as const;

export const MORE = 'All methods and tests: manifest of this export.';

const words = (text: string): number => text.split(/\s+/).length;

/** A note of a table; `print`: what stands for it under the table, if it fits; left out: the same. */
export type TableNote = { readonly full: string; readonly print?: string };

/**
 * Under: notes that are needed to read the table (its marks, required sentences, and short ones). Beside: all others, and the
 * full text of what is shorter there.
 */
export type PlacedNotes = Readonly<Record<'under' | 'beside', readonly string[]>>;

/** The groups are among the notes: marks are needed, and of the others these come first. `basis`: what the paper measured on. */
export function placedNotes(
  notes: readonly TableNote[],
  groups: Readonly<Record<'marks' | 'limits' | 'claims' | 'basis', readonly TableNote[]>>,
  title: string,
  most: number,
): PlacedNotes {
  const { marks, limits, claims, basis } = groups;
  const shown = new Map<TableNote, string>();
  for (const note of notes) {
    if (marks.includes(note) || isNeeded(note.full)) shown.set(note, shortest(note));
  }
  let left = most - words(MORE) - [title, ...shown.values()].reduce((sum, text) => sum + words(text), 0);
  const ofTable = notes.filter(({ full }) => !/^(Search:|Agents\.) /.test(full));
  // What its rows are.
  const ofRows = notes.filter(({ full }) => /^Training\. |\bno tree, so that N does not apply/.test(full));
  for (const note of [...claims, ...basis, ...marks, ...limits, ...ofRows, ...ofTable, ...notes]) {
    const before = shown.get(note);
    const room = left + (before === undefined ? 0 : words(before));
    const text = [inPrint(note.full), shortest(note)].find((one) => words(one) <= room);
    if (text === undefined) continue;
    shown.set(note, text);
    left = room - words(text);
  }
  const under = notes.flatMap((note) => shown.get(note) ?? []);
  const beside = notes.filter((note) => shown.get(note) !== inPrint(note.full)).map(({ full }) => full);
  return {
    under: [title, ...under, ...(beside.length > 0 ? [MORE] : [])].filter((text) => text !== ''),
    beside,
  };
}

function shortest({ full, print = full }: TableNote): string {
  return full === COMPLEMENT_SENTENCE ? `${COMPLEMENT_SHORT}.` : print;
}

/** The list of differences stands beside it. */
function inPrint(full: string): string {
  return full.replace(DIFFERENCES_NOTE, LARGER_P);
}
