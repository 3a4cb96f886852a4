const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** Bytes for people: "812 B", "1.2 MB" (powers of 1000). */
export function byteWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  let value = bytes;
  let unit = -1;
  while (unit < UNITS.length - 1 && value >= 999.5) {
    value /= 1_000;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ${UNITS[unit]}`;
}
