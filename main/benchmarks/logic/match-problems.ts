import type { Problem } from '../../../preload/contract';
import type { RecordedRow } from './recorded-row';

/** The collection and the number in "HumanEval/3", "HumanEval_3_below_zero", "MbppEval/2", "mbpp_2_name" and "602". */
function numbered(id: string): { readonly collection: string; readonly number: number } | null {
  const match = /^(?:([a-z]+?)(?:eval)?[/_-])?(\d{1,9})(?:[/_-].*)?$/i.exec(id);
  if (match === null) return null;
  return { collection: (match[1] ?? '').toLowerCase(), number: Number(match[2]) };
}

/** The text with single spaces: copies of one task differ in them. */
function oneSpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A map in which a key that fits several problems gives none. */
class UniqueIndex {
  readonly #found = new Map<string, Problem | null>();

  add(key: string, problem: Problem): void {
    this.#found.set(key, this.#found.has(key) ? null : problem);
  }

  get(key: string): Problem | null {
    return this.#found.get(key) ?? null;
  }
}

/**
 * Returns a function that finds a row's problem in the benchmark; null: none, or more than one. An id matches exactly,
 * else by collection and number if they fit one problem only, and a plain number by the number alone. The words of a
 * task match if just one statement has them.
 */
export function problemMatcher(
  problems: readonly Problem[],
): (problem: RecordedRow['problem']) => Problem | null {
  const byId = new Map(problems.map((problem) => [problem.id, problem]));
  const byNumber = new UniqueIndex();
  const byPlainNumber = new UniqueIndex();
  for (const problem of problems) {
    const own = numbered(problem.id);
    if (own === null) continue;
    byPlainNumber.add(String(own.number), problem);
    if (own.collection !== '') byNumber.add(`${own.collection}/${own.number}`, problem);
  }
  let statements: readonly (readonly [string, Problem])[] | null = null;

  return (problem) => {
    if (problem.by === 'statement') {
      statements ??= problems.map((candidate) => [oneSpaced(candidate.statement), candidate] as const);
      const statement = oneSpaced(problem.statement);
      const having = statements.filter(([candidate]) => candidate.includes(statement));
      return having.length === 1 ? (having[0]?.[1] ?? null) : null;
    }
    const same = byId.get(problem.id);
    if (same !== undefined) return same;
    const named = numbered(problem.id);
    if (named === null) return null;
    // A benchmark with plain numbers as ids accepts any collection, because its ids name none.
    const plain = byPlainNumber.get(String(named.number));
    if (named.collection === '') return plain;
    const exact = byNumber.get(`${named.collection}/${named.number}`);
    if (exact !== null) return exact;
    return plain !== null && numbered(plain.id)?.collection === '' ? plain : null;
  };
}
