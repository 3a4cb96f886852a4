/** Fields that main sets, not the form. */
const OF_MAIN: ReadonlySet<string> = new Set(['deskModel', 'digest']);

/** Are two settings equal, whatever the order of their fields? */
export function equalSettings(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part !== 'object' || part === null || Array.isArray(part)
      ? part
      : Object.fromEntries(
          Object.entries(part)
            .filter(([name]) => !OF_MAIN.has(name))
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        ),
  );
}
