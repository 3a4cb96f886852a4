/** "1, 4 16" -> [1, 4, 16]; null if not one to ten numbers up to 1,024. */
export function concurrenciesOf(text: string): readonly number[] | null {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  const numbers = parts.map((part) => (/^\d{1,4}$/.test(part) ? Number(part) : 0));
  if (numbers.length === 0 || numbers.length > 10) return null;
  if (numbers.some((value) => value < 1 || value > 1_024)) return null;
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** Tokens per response, 1 to 8,192; null if invalid. */
export function tokensOf(text: string): number | null {
  const value = /^\d{1,4}$/.test(text.trim()) ? Number(text.trim()) : 0;
  return value >= 1 && value <= 8_192 ? value : null;
}
