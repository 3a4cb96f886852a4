/** Formats numbers and lists for sentences. */

export {
  percentText as formatPoints,
  signedPercentText as formatSignedPoints,
} from '../../preload/contract/plans';

export function formatList(names: readonly string[]): string {
  if (names.length <= 1) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Names that people chose: in quotes where one has a comma or an "and" of its own, so that each is seen as one. */
export function formatNames(names: readonly string[]): string {
  const ambiguous = names.length > 1 && names.some((name) => /,|\band\b/.test(name));
  return formatList(ambiguous ? names.map((name) => `"${name}"`) : names);
}

/** e.g. "p < 0.0001", "p = 0.0042", "p = 0.31". */
export function formatP(p: number): string {
  return p < 0.0001 ? 'p < 0.0001' : `p = ${p < 0.01 ? p.toFixed(4) : p.toFixed(2)}`;
}
