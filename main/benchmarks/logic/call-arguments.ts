import { pythonTokens } from './python-tokens';
import { isPythonJson } from './raw-json';

const pythonConstants: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };
const brackets: Readonly<Record<string, string>> = { '(': '[', ')': ']' };

/** A Python literal of one line as JSON, e.g. ['a', (1, 2)] as ["a", [1, 2]]; null for anything else. */
function jsonOfPythonLiteral(text: string): string | null {
  if (isPythonJson(text)) return text.trim();
  const tokens = text.includes('\n') ? null : pythonTokens(text);
  if (tokens === null) return null;
  const parts = tokens.map((token, i) => {
    if (token.kind === 'string') {
      const inside = /^(['"])(.*)\1$/s.exec(token.text)?.[2];
      if (inside === undefined || /\\[^'"\\nt]/.test(inside)) return null;
      return JSON.stringify(
        inside.replace(/\\(.)/g, (_, sign: string) => ({ n: '\n', t: '\t' })[sign] ?? sign),
      );
    }
    const next = tokens[i + 1]?.text ?? '';
    if (token.text === ',' && ')]}'.includes(next) && next !== '') return ''; // JSON has no comma at the end
    return pythonConstants[token.text] ?? brackets[token.text] ?? token.text;
  });
  const json = parts.join('');
  return !parts.includes(null) && isPythonJson(json) ? json : null;
}

/** The function that the starter code defines, with its parameters; null if it defines none. */
export function signatureOf(
  starterCode: string,
): { readonly name: string; readonly parameters: number; readonly required: number } | null {
  const match = /^[ \t]*def\s+([\p{L}_][\p{L}\p{N}_]*)\s*\(([^()]*)\)/mu.exec(starterCode);
  if (match?.[1] === undefined) return null;
  const all = (match[2] ?? '')
    .split(',')
    .map((parameter) => parameter.trim())
    .filter((parameter) => parameter !== '' && parameter !== 'self');
  return {
    name: match[1],
    parameters: all.length,
    required: all.filter((parameter) => !parameter.includes('=')).length,
  };
}

function linesOf(input: string, parameters: number, required: number): string[] | null {
  if (parameters === 1) return [input];
  const lines = input.split('\n');
  return lines.length >= required && lines.length <= parameters ? lines : null;
}

export type CallArguments = {
  /** For each input: one JSON argument a line; null where its lines do not fit the parameters. */
  readonly inputs: ReadonlyArray<string | null>;
  /** A parameter has only numbers, which may also be meant as text. */
  readonly isDoubtful: boolean;
};

/**
 * Arguments of calls from inputs that have one argument a line as Python prints it, text without quotes. All values of
 * a parameter decide together: if each is a literal, they are literals, else all are text.
 */
export function callArguments(
  inputs: readonly string[],
  { parameters, required }: { readonly parameters: number; readonly required: number },
): CallArguments {
  const rows = inputs.map((input) => linesOf(input, parameters, required));
  const columns = Array.from({ length: parameters }, (_, column) => {
    const values = rows.flatMap((row) => row?.[column] ?? []);
    const literals = values.map(jsonOfPythonLiteral);
    const areLiterals = values.length > 0 && !literals.includes(null);
    return { areLiterals, areNumbers: areLiterals && literals.every((json) => /^-?[\d.]/.test(json ?? '')) };
  });
  return {
    inputs: rows.map(
      (row) =>
        row
          ?.map((value, i) =>
            columns[i]?.areLiterals === true ? jsonOfPythonLiteral(value) : JSON.stringify(value),
          )
          .join('\n') ?? null,
    ),
    isDoubtful: columns.some(({ areNumbers }) => areNumbers),
  };
}
