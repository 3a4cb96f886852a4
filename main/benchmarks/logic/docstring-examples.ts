import { pythonLiteral } from './python-literal';
import { closingBracket, type PythonToken, pythonTokens } from './python-tokens';

/** `>>> CALL` with the one literal that it should give. Both are Python source of one line. */
export type DocstringExample = { readonly call: string; readonly expected: string };

type Claim = {
  /** Tokens of the entry point's arguments, joined: equal for calls that differ in spaces only. */
  readonly argumentsKey: string | null;
  readonly expectedValue: string | null;
};

/** Length in tokens of the call `name(...)` that the tokens begin with; null when they begin otherwise. */
function callLength(tokens: readonly PythonToken[]): number | null {
  if (tokens[0]?.kind !== 'name' || tokens[1]?.text !== '(') return null;
  const close = closingBracket(tokens, 1);
  return close === null ? null : close + 1;
}

function callsEntryPoint(tokens: readonly PythonToken[], entryPoint: string): boolean {
  return tokens.some(
    (token, i) => token.kind === 'name' && token.text === entryPoint && tokens[i + 1]?.text === '(',
  );
}

function sourceOf(tokens: readonly PythonToken[]): string {
  const spaced = tokens.map((token, i) => {
    const next = tokens[i + 1];
    if (token.text === ',' || token.text === ':')
      return next?.kind === 'mark' && ')]}'.includes(next.text) ? token.text : `${token.text} `;
    // Two words need a space between them: "x in y", "not x".
    const isWord = (token: PythonToken | undefined): boolean => token !== undefined && token.kind !== 'mark';
    return isWord(token) && isWord(next) ? `${token.text} ` : token.text;
  });
  return spaced.join('');
}

function claimOf(tokens: readonly PythonToken[], name: string, expected: readonly PythonToken[]): Claim {
  const isDirect = tokens[0]?.text === name && callLength(tokens) === tokens.length;
  return {
    argumentsKey: isDirect
      ? tokens
          .slice(2, -1)
          .map((token) => token.text)
          .join(' ')
      : null,
    expectedValue: pythonLiteral(expected)?.value ?? null,
  };
}

/** `CALL == LITERAL` cut in two; null for any other line. */
function equation(
  tokens: readonly PythonToken[],
): readonly [readonly PythonToken[], readonly PythonToken[]] | null {
  const length = callLength(tokens);
  if (length === null || tokens[length]?.text !== '==') return null;
  return [tokens.slice(0, length), tokens.slice(length + 1)];
}

/** The values that the private test expects of calls: key of the arguments -> value. */
function claimsOfCheck(check: string): Map<string, string> {
  const claims = new Map<string, string>();
  for (const line of check.split('\n')) {
    const trimmed = line.trim();
    if (!trimmed.startsWith('assert ')) continue;
    const tokens = pythonTokens(trimmed.slice('assert '.length));
    const sides = tokens === null ? null : equation(tokens);
    if (sides === null) continue;
    // `assert CALL == LITERAL, "message"`: the literal ends at a comma outside of brackets.
    const open = sides[1].findIndex((token) => token.kind === 'mark' && '([{'.includes(token.text));
    const close = open === 0 ? closingBracket(sides[1], 0) : null;
    const comma = sides[1].findIndex((token, i) => token.text === ',' && i > (close ?? -1));
    const { argumentsKey, expectedValue } = claimOf(
      sides[0],
      'candidate',
      comma === -1 ? sides[1] : sides[1].slice(0, comma),
    );
    if (argumentsKey !== null && expectedValue !== null) claims.set(argumentsKey, expectedValue);
  }
  return claims;
}

export type DocstringExamples = {
  readonly examples: readonly DocstringExample[];
  /** Examples left out because the private test expects another value for the same call. */
  readonly contradicted: number;
};

/**
 * The `>>>` examples of a prompt that can be turned into a test without doubt: one line that is a call with the
 * entry point in it, and one literal, on the next line or behind `==`. Some examples of HumanEval are wrong (the
 * median of problem 47); they are left out when `check` contradicts them.
 */
export function docstringExamples(prompt: string, entryPoint: string, check: string): DocstringExamples {
  const lines = prompt.split('\n').map((line) => line.trim());
  const claims = claimsOfCheck(check);
  const examples: DocstringExample[] = [];
  let contradicted = 0;
  for (const [i, line] of lines.entries()) {
    if (!line.startsWith('>>> ')) continue;
    const tokens = pythonTokens(line.slice('>>> '.length));
    if (tokens === null || !callsEntryPoint(tokens, entryPoint)) continue;
    const sides = equation(tokens) ?? resultBelow(tokens, lines[i + 1] ?? '', lines[i + 2] ?? '');
    if (sides === null || pythonLiteral(sides[1]) === null) continue;
    const { argumentsKey, expectedValue } = claimOf(sides[0], entryPoint, sides[1]);
    const truth = argumentsKey === null ? undefined : claims.get(argumentsKey);
    if (truth !== undefined && expectedValue !== null && truth !== expectedValue) contradicted += 1;
    else examples.push({ call: sourceOf(sides[0]), expected: sourceOf(sides[1]) });
  }
  return { examples, contradicted };
}

function resultBelow(
  call: readonly PythonToken[],
  result: string,
  after: string,
): readonly [readonly PythonToken[], readonly PythonToken[]] | null {
  // A second line of result means that the first is not all of it.
  const isAlone =
    after === '' || after.startsWith('>>>') || after.startsWith('"""') || after.startsWith("'''");
  const expected = pythonTokens(result);
  if (!isAlone || expected === null || callLength(call) !== call.length) return null;
  return [call, expected];
}
