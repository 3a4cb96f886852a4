/** The path with what is told of these values; null is left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | null>>): string {
  const told = Object.entries(query).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return told.length === 0 ? path : `${path}?${told.join('&')}`;
}
