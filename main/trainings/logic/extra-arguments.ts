/** What is wrong with arguments that stand behind a command as they were typed, a sentence each. */
export function extraProblems(text: string): string[] {
  // A second line would be a command of its own.
  if (text.trim().includes('\n')) return ['The extra arguments are one line.'];
  return hasOpenQuote(text) ? ['A quotation mark of the extra arguments is not closed.'] : [];
}

/** Does a POSIX shell still wait for a quotation mark (or for what a last backslash protects) at the text's end? */
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
