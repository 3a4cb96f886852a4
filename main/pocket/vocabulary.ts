import { VAGUE_PHRASES } from './operation-kinds';
import { OPERATIONS } from './operations';

const STOP_WORDS = new Set(
  'a all at each every from in is it its list number numbers of only the that them there to with'.split(' '),
);

function split(text: string): readonly string[] {
  return (text.toLowerCase().match(/[a-z]+/g) ?? []).filter((word) => !STOP_WORDS.has(word));
}

const PHRASES: readonly string[] = [
  ...OPERATIONS.flatMap(({ phrases }) => phrases),
  ...Object.values(VAGUE_PHRASES),
];

/** Every word that can occur in a clause, sorted; the order is part of every checkpoint. */
export const VOCABULARY: readonly string[] = [...new Set(PHRASES.flatMap(split))].sort();

const indexOf: ReadonlyMap<string, number> = new Map(VOCABULARY.map((word, index) => [word, index]));

function readClause(clause: string): readonly number[] {
  const indices = split(clause).flatMap((word) => indexOf.get(word) ?? []);
  return [...new Set(indices)];
}

/** The clauses of our own statements, read once. */
const wordsOfNumbers: ReadonlyMap<string, readonly number[]> = new Map(
  PHRASES.map((phrase) => [phrase, readClause(phrase)]),
);

/** Vocabulary indices of the clause's words, each once; unknown words are skipped. */
export function wordsOf(clause: string): readonly number[] {
  return wordsOfNumbers.get(clause) ?? readClause(clause);
}
