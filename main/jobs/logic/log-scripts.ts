import type { LeftOutPart } from '../../../preload/contract';
import { shellWord } from '../../base';

/** Prints the byte offset of a line (from 1) and the size of the file, "0 0" where there is none. */
export function lineOffsetScript(path: string, line: number, leftOut: LeftOutPart | null): string {
  const before = line - 1;
  return `
file=${shellWord(path)}
[ -r "$file" ] || { echo 0 0; exit 0; }
size=$(stat -c %s -- "$file" 2>/dev/null || wc -c <"$file")
${leftOut === null ? `echo "$(head -n ${before} -- "$file" | wc -c)" "$size"` : offsetsAroundLeftOut(before, leftOut)}
`;
}

/** The same where a part was left out; of a line in it, the part's begin. */
function offsetsAroundLeftOut(before: number, { from, to, lines }: LeftOutPart): string {
  return `offset=$(head -c ${from} -- "$file" | head -n ${before} | wc -c)
if [ "$offset" -ge ${from} ]; then
  left=$((${before - lines} - $(head -c ${from} -- "$file" | wc -l)))
  offset=${from}
  [ "$left" -lt 0 ] || offset=$((${to} + $(tail -c +${to + 1} -- "$file" | head -n "$left" | wc -c)))
fi
echo "$offset" "$size"`;
}

/** A piece of a saved log: bytes of the file, or a text in their place. */
export type SavedPart =
  | { readonly kind: 'bytes'; readonly from: number; readonly to: number }
  | { readonly kind: 'text'; readonly text: string };

/** Prints the SHA-256 (hex) of these parts of a file in a row; nothing if no program there can compute it. */
export function digestScript(path: string, parts: readonly SavedPart[]): string {
  const file = shellWord(path);
  const printed = parts.map((part) => {
    if (part.kind === 'text') return `printf %s ${shellWord(part.text)}`;
    const bytes = part.to - part.from;
    if (part.from === 0) return `head -c ${bytes} -- ${file}`;
    return `tail -c +${part.from + 1} -- ${file} | head -c ${bytes}`;
  });
  return `
parts() {
${printed.map((line) => `  ${line}\n`).join('')}}
if command -v sha256sum >/dev/null 2>&1; then parts | sha256sum | cut -c 1-64
elif command -v shasum >/dev/null 2>&1; then parts | shasum -a 256 | cut -c 1-64
elif command -v openssl >/dev/null 2>&1; then parts | openssl dgst -sha256 | sed 's/.* //'
fi
`;
}
