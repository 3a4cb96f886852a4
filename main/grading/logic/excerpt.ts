/**
 * The text itself, or its two ends around a mark when it is longer than `most` UTF-16 units.
 * Both ends matter: a traceback says what happened at its end and where it began at its start.
 */
export function excerpt(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)}\n... (${text.length - 2 * half} characters left out) ...\n${text.slice(-half)}`;
}
