/** The name, or the first of its numbered forms ("name-2") that is not taken. */
export function firstFreeName(name: string, joint: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}${joint}${number}`;
  return free;
}

/** The names that several have: where one of them is shown, an id has to say which is meant. */
export function sharedNames(names: Iterable<string>): ReadonlySet<string> {
  const [once, several] = [new Set<string>(), new Set<string>()];
  for (const name of names) (once.has(name) ? several : once).add(name);
  return several;
}
