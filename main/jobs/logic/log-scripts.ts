import { shellWord } from '../../base';

/** Prints the byte offset of a line (from 1) and the size of the file, "0 0" where there is none. */
export function lineOffsetScript(path: string, line: number): string {
  return `
file=${shellWord(path)}
[ -r "$file" ] || { echo 0 0; exit 0; }
echo "$(head -n ${line - 1} -- "$file" | wc -c)" "$(wc -c <"$file")"
`;
}

/** Prints the SHA-256 (hex) of the first bytes of a file; nothing if no program there can compute it. */
export function digestScript(path: string, bytes: number): string {
  return `
start() { head -c ${bytes} -- ${shellWord(path)}; }
if command -v sha256sum >/dev/null 2>&1; then start | sha256sum | cut -c 1-64
elif command -v shasum >/dev/null 2>&1; then start | shasum -a 256 | cut -c 1-64
elif command -v openssl >/dev/null 2>&1; then start | openssl dgst -sha256 | sed 's/.* //'
fi
`;
}
