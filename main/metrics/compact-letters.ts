/**
 * Compact letter display (Piepho 2004, insert and absorb): two items that do not differ significantly share a letter,
 * two that do share none, and every item has a letter. Letters follow the order of the items, so list the best first; past the 52nd
 * group they are '*'.
 */
export function groupLetters(
  items: readonly string[],
  differ: (a: string, b: string) => boolean,
): ReadonlyMap<string, string> {
  let groups: ReadonlyArray<ReadonlySet<string>> = [new Set(items)];
  for (const [i, a] of items.entries()) {
    for (const b of items.slice(i + 1)) {
      if (!differ(a, b)) continue;
      const split = groups.flatMap((group) =>
        group.has(a) && group.has(b) ? [without(group, a), without(group, b)] : [group],
      );
      groups = withoutSubsets(split);
    }
  }
  const used = needed(groups);
  const rank = (group: ReadonlySet<string>): number => items.findIndex((item) => group.has(item));
  const letters = new Map(items.map((item) => [item, '']));
  for (const [at, group] of [...used].sort((a, b) => rank(a) - rank(b)).entries()) {
    for (const item of items)
      if (group.has(item)) letters.set(item, letters.get(item) + (LETTERS[at] ?? '*'));
  }
  return letters;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

function without(group: ReadonlySet<string>, item: string): ReadonlySet<string> {
  return new Set([...group].filter((other) => other !== item));
}

/** Without the groups that lie within another one. */
function withoutSubsets(groups: ReadonlyArray<ReadonlySet<string>>): ReadonlyArray<ReadonlySet<string>> {
  return groups.filter(
    (group, at) =>
      !groups.some(
        (other, otherIndex) =>
          otherIndex !== at &&
          (other.size > group.size || (other.size === group.size && otherIndex < at)) &&
          [...group].every((item) => other.has(item)),
      ),
  );
}

/** Without the groups whose every member, and every two members, are in another group as well. */
function needed(groups: ReadonlyArray<ReadonlySet<string>>): ReadonlyArray<ReadonlySet<string>> {
  let remaining = [...groups];
  for (const group of [...groups].sort((a, b) => a.size - b.size)) {
    const others = remaining.filter((other) => other !== group);
    const members = [...group];
    const covered = members.every((a, i) =>
      members.slice(i).every((b) => others.some((other) => other.has(a) && other.has(b))),
    );
    if (covered) remaining = others;
  }
  return remaining;
}
