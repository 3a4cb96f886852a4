/** active: it is working; good: it succeeded; quiet: idle by choice; bad: needs attention; unsure: unknown. */
export type StatusTone = 'active' | 'good' | 'quiet' | 'bad' | 'unsure';
/** A state in a word or two, as lists show it. */
export type StatusLabel = { readonly tone: StatusTone; readonly text: string };

/** The text with a full stop, unless it ends with punctuation already. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
