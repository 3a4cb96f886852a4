import { shellWord } from '../../base';

/** SHA-256 (hex) of the first bytes of a file; nothing where no program there can tell. */
export function digestScript(path: string, bytes: number): string {
  return `
start() { head -c ${bytes} -- ${shellWord(path)}; }
if command -v sha256sum >/dev/null 2>&1; then start | sha256sum | cut -c 1-64
elif command -v shasum >/dev/null 2>&1; then start | shasum -a 256 | cut -c 1-64
elif command -v openssl >/dev/null 2>&1; then start | openssl dgst -sha256 | sed 's/.* //'
fi
`;
}
