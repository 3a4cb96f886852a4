import type { Missing } from '../reproduction';

export type MissingGroup = Pick<Missing, 'todo' | 'address' | 'field'> & {
  readonly messages: readonly string[];
};

/**
 * What is missing, grouped by remedy: one machine may solve ten problems. In the plan's order. What is the same of
 * several models is one sentence with at most `mostNames` of them.
 */
export function missingByRemedy(
  missing: readonly Missing[],
  mostNames = Number.POSITIVE_INFINITY,
): readonly MissingGroup[] {
  const groups = new Map<string, { readonly first: Missing; readonly all: Missing[] }>();
  for (const one of missing) {
    const key = `${one.address} ${one.field} ${one.todo}`;
    const group = groups.get(key) ?? { first: one, all: [] };
    group.all.push(one);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ first: { todo, address, field }, all }) => ({
    ...{ todo, address, messages: sentencesOf(all, mostNames) },
    ...(field !== undefined && { field }),
  }));
}

function sentencesOf(missing: readonly Missing[], mostNames: number): readonly string[] {
  const sentences = new Map<string, string[]>();
  for (const { what, subject } of missing) {
    const pattern = subject === undefined ? what : what.replace(subject, NAMES);
    sentences.set(pattern, [...(sentences.get(pattern) ?? []), ...(subject === undefined ? [] : [subject])]);
  }
  // By a function: "$" in a name stands for itself.
  return [...sentences].map(([pattern, names]) => pattern.replace(NAMES, () => listed(names, mostNames)));
}

const NAMES = '\0';

/** "A, B and C", or "A, B and 6 more". */
function listed(names: readonly string[], most: number): string {
  const shown = names.length > most ? names.slice(0, most) : names.slice(0, -1);
  const last = names.length > most ? `${names.length - most} more` : names.at(-1);
  return shown.length === 0 ? `${last}` : `${shown.join(', ')} and ${last}`;
}
