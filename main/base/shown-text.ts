/**
 * What a machine or another user wrote, as it may be shown: without control characters, line ends and marks that turn the
 * direction of writing.
 */
export function shownText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
