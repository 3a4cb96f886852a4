/** The names that several have: where one of them is shown, an id has to say which is meant. */
export function sharedNames(names: Iterable<string>): ReadonlySet<string> {
  const [once, several] = [new Set<string>(), new Set<string>()];
  for (const name of names) (once.has(name) ? several : once).add(name);
  return several;
}
