/** The path with these query parameters; null values are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | null>>): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return parameters.length === 0 ? path : `${path}?${parameters.join('&')}`;
}
