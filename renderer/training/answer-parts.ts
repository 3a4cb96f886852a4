type AnswerPart = { readonly kind: 'words' | 'code'; readonly text: string };

/** A text as what is told and what is program: fenced blocks, of which the last may be cut. An empty one is told. */
export function answerParts(answer: string): readonly AnswerPart[] {
  const parts: AnswerPart[] = [];
  const fence = /^```[^\n]*\n([\s\S]*?)(?:^```[ \t]*$|(?![\s\S]))/gm;
  let from = 0;
  const words = (text: string): void => {
    if (text.trim() !== '') parts.push({ kind: 'words', text: text.trim() });
  };
  for (const match of answer.matchAll(fence)) {
    const code = (match[1] ?? '').replace(/\n$/, '');
    if (code.trim() === '') continue;
    words(answer.slice(from, match.index));
    parts.push({ kind: 'code', text: code });
    from = match.index + match[0].length;
  }
  words(answer.slice(from));
  return parts;
}
