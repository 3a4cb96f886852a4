import { parsedJson } from './parsed-json';
import { failed, ok, type Result } from './result';

export type JsonSize = {
  /** Brackets that are open at once. */
  readonly depth: number;
  /** Opening brackets, commas and colons: no text has more values and keys than these and one. */
  readonly parts: number;
};

/**
 * The size of a JSON text, or the character at which it exceeds the limits, in one pass that builds nothing. A parser
 * makes at most one object per part, and strings as long as the text. So a caller that checks the size first has
 * bounded the cost of parsing, comparing and printing the value, and needs no worker for it.
 */
export function jsonSize(text: string, limits: JsonSize): Result<JsonSize, { readonly at: number }> {
  let open = 0;
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = closingQuote(text, at);
        if (end === null) return ok({ depth, parts });
        at = end;
        break;
      }
      case LIST:
      case DICT:
        open += 1;
        parts += 1;
        if (open > depth) depth = open;
        if (depth > limits.depth || parts > limits.parts) return failed({ at });
        break;
      case LIST_END:
      case DICT_END:
        open -= 1;
        break;
      case COMMA:
      case COLON:
        parts += 1;
        if (parts > limits.parts) return failed({ at });
        break;
      default:
    }
  }
  return ok({ depth, parts });
}

/** The value of a JSON text; undefined where it is none, or larger than the limits. */
export function parsedJsonWithin(text: string, limits: JsonSize): unknown {
  return jsonSize(text, limits).ok ? parsedJson(text) : undefined;
}

/** A search by hand: regular expressions run out of stack on strings of many megabytes. */
export function closingQuote(text: string, opening: number): number | null {
  for (let end = text.indexOf('"', opening + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return null;
}

const [QUOTE, LIST, LIST_END, DICT, DICT_END, COMMA, COLON] = [0x22, 0x5b, 0x5d, 0x7b, 0x7d, 0x2c, 0x3a];
