/** A duration as people say it: "45 s", "12 min", "3.5 h", "2.1 days". */
export function ageText(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 2 * 3_600) return `${Math.round(seconds / 60)} min`;
  return seconds < 48 * 3_600 ? `${(seconds / 3_600).toFixed(1)} h` : `${(seconds / 86_400).toFixed(1)} days`;
}

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

export function bytesText(bytes: number): string {
  let size = bytes / 1_024;
  let unit = 0;
  for (; size >= 1_024 && unit < UNITS.length - 1; unit++) size /= 1_024;
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`;
}

/** Three digits are as many as a mean of ten noisy values has. */
export function numberText(value: number): string {
  return String(Number(value.toPrecision(3)));
}
