const SPACE = /[ \t\n\r]*/y;
/** Characters of a JSON string: no control characters, no quotation mark, a backslash only in an escape. */
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const OTHER_VALUE = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end';

/**
 * Offset of the first character that makes the text invalid JSON (RFC 8259); the text's length if it ends too early;
 * null for valid JSON. `JSON.parse` reports a position only for some errors.
 */
export function jsonErrorOffset(text: string): number | null {
  const open: ('object' | 'list')[] = [];
  // The cast is needed because the closures below assign it, which the compiler does not see.
  let expected = 'value' as Expected;
  let at = 0;

  const skips = (token: RegExp): boolean => {
    token.lastIndex = at;
    if (!token.test(text)) return false;
    at = token.lastIndex;
    return true;
  };
  const skipsChar = (char: string): boolean => {
    if (text[at] !== char) return false;
    at += 1;
    return true;
  };
  const closes = (): boolean => {
    if (!skipsChar(open.at(-1) === 'object' ? '}' : ']')) return false;
    open.pop();
    expected = 'comma or end';
    return true;
  };
  const opens = (): boolean => {
    if (skipsChar('{')) {
      open.push('object');
      expected = 'key or end';
      return true;
    }
    if (!skipsChar('[')) return false;
    open.push('list');
    expected = 'value or end';
    return true;
  };

  for (;;) {
    skips(SPACE);
    if (expected === 'comma or end' && open.length === 0) return at === text.length ? null : at;
    switch (expected) {
      case 'value or end':
      case 'value':
        if (expected === 'value or end' && closes()) break;
        if (opens()) break;
        if (!skips(STRING) && !skips(OTHER_VALUE)) return at;
        expected = 'comma or end';
        break;
      case 'key or end':
      case 'key':
        if (expected === 'key or end' && closes()) break;
        if (!skips(STRING)) return at;
        expected = 'colon';
        break;
      case 'colon':
        if (!skipsChar(':')) return at;
        expected = 'value';
        break;
      case 'comma or end':
        if (closes()) break;
        if (!skipsChar(',')) return at;
        expected = open.at(-1) === 'object' ? 'key' : 'value';
        break;
    }
  }
}
