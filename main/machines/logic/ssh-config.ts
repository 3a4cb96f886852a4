/** The lines of an ssh configuration file that matter for host names, in the order of the file. */
type SshConfigLine =
  | { readonly kind: 'hosts'; readonly names: readonly string[] }
  /** Paths, maybe with `~` and patterns; relative ones are of ~/.ssh. */
  | { readonly kind: 'include'; readonly paths: readonly string[] };

/** Reads ssh_config(5): "Host a b" or "Host=a"; words in quotes may hold spaces. Patterns and "!a" are no names. */
export function parseSshConfig(text: string): readonly SshConfigLine[] {
  const lines: SshConfigLine[] = [];
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*(\w+)(?:\s*=|\s)\s*([\s\S]*)/.exec(line);
    if (match === null) continue;
    const words = wordsOf(match[2] ?? '');
    const keyword = (match[1] ?? '').toLowerCase();
    if (keyword === 'include') lines.push({ kind: 'include', paths: words });
    if (keyword === 'host') lines.push({ kind: 'hosts', names: words.filter(isName) });
  }
  return lines;
}

/** Matches the names of one folder against the last part of an Include, as glob(7) does. */
export function namePattern(pattern: string): RegExp {
  const source = [...pattern].map((letter) =>
    letter === '*' ? '.*' : letter === '?' ? '.' : /[[\]!-]/.test(letter) ? letter : `\\u{${hex(letter)}}`,
  );
  try {
    return new RegExp(`^(?!\\.)${source.join('').replaceAll('[!', '[^')}$`, 'u');
  } catch {
    // Brackets that do not close stand for nothing but themselves.
    return new RegExp(`^${[...pattern].map((letter) => `\\u{${hex(letter)}}`).join('')}$`, 'u');
  }
}

function hex(letter: string): string {
  return (letter.codePointAt(0) ?? 0).toString(16);
}

function isName(word: string): boolean {
  return word !== '' && !/[*?!]/.test(word) && !word.startsWith('-');
}

function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  for (const match of text.matchAll(/"([^"]*)"|([^\s"]+)/g)) {
    if (match[1] === undefined && match[2]?.startsWith('#')) break;
    words.push(match[1] ?? match[2] ?? '');
  }
  return words;
}
