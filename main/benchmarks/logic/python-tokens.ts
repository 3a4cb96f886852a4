/** A piece of one line of Python. `mark` is an operator, a bracket or another sign. */
export type PythonToken = {
  readonly kind: 'name' | 'number' | 'string' | 'mark';
  readonly text: string;
};

const patterns = [
  ['string', /(?:[rRbBuUfF]{0,2})(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/y],
  [
    'number',
    /(?:0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?[jJ]?)/y,
  ],
  ['name', /[\p{L}_][\p{L}\p{N}_]*/uy],
  ['mark', /\*\*|\/\/|==|!=|<=|>=|<<|>>|:=|->|[-+*/%@&|^~<>=()[\]{},:.;]/y],
] as const;

/**
 * The tokens of one line of Python, without a comment at its end; null for what this small reader does not know
 * (triple quotes, a string that does not end): the caller then leaves the line alone.
 */
export function pythonTokens(line: string): readonly PythonToken[] | null {
  if (line.includes('"""') || line.includes("'''")) return null;
  const tokens: PythonToken[] = [];
  let at = 0;
  while (at < line.length) {
    const sign = line[at];
    if (sign === ' ' || sign === '\t') {
      at += 1;
      continue;
    }
    if (sign === '#') break;
    const token = tokenAt(line, at);
    if (token === null) return null;
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

function tokenAt(line: string, at: number): PythonToken | null {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const text = pattern.exec(line)?.[0];
    if (text !== undefined && text !== '') return { kind, text };
  }
  return null;
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Index of the bracket that closes the one at `open`; null when none does or brackets cross. */
export function closingBracket(tokens: readonly PythonToken[], open: number): number | null {
  const expected: string[] = [];
  for (let i = open; i < tokens.length; i++) {
    const token = tokens[i];
    if (token?.kind !== 'mark') continue;
    const close = closing[token.text];
    if (close !== undefined) expected.push(close);
    else if (token.text === ')' || token.text === ']' || token.text === '}') {
      if (expected.pop() !== token.text) return null;
      if (expected.length === 0) return i;
    }
  }
  return null;
}
