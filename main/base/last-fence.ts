const FENCE = '```';

/** The lines between the last two lines that hold three backticks; null: there is no such block. */
export function betweenLastFences(answer: string): string | null {
  const lines = answer.split('\n');
  const last = lines.findLastIndex((line) => line.includes(FENCE));
  if (last <= 0) return null;
  const first = lines.slice(0, last).findLastIndex((line) => line.includes(FENCE));
  return first === -1 ? null : lines.slice(first + 1, last).join('\n');
}
