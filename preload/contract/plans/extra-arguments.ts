/** Problems with extra arguments, which are appended to a command as typed; one sentence each. */
export function extraProblems(text: string): string[] {
  // A second line would be a separate command.
  if (text.trim().includes('\n')) return ['The extra arguments must be on one line.'];
  return hasOpenQuote(text) ? ['The extra arguments contain an unclosed quotation mark.'] : [];
}

/** Whether a POSIX shell would still expect input at the text's end: an open quotation mark, or a final backslash. */
function hasOpenQuote(text: string): boolean {
  let quote: "'" | '"' | null = null;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '\\' && quote !== "'") {
      if (at + 1 === text.length) return true;
      at += 1;
    } else if (sign === "'" || sign === '"') {
      if (quote === null) quote = sign;
      else if (quote === sign) quote = null;
    }
  }
  return quote !== null;
}
