import { counted } from './number-text';

/** Who has the highest of `of` values: "team, best of 3"; of a tie "team and 2 others, level, best of 4". */
export function leaderText(name: string, level = 0, of = 0): string {
  const tie = level === 0 ? name : `${name} and ${counted(level, 'other')}, level`;
  return of < 2 || level === of - 1 ? tie : `${tie}, best of ${of}`;
}
