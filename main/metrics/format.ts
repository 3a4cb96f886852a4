/** Formats numbers and lists for sentences. */

export {
  pEquation as formatP,
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
