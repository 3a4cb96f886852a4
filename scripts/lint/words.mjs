// The words that docs/glossary.md replaced: an identifier or a file name that brings one back is refused, with the word
// to use instead. Strings and comments are read by people, not by this.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';

const folders = ['main', 'preload', 'renderer', 'scripts', 'tests'];
const source = /\.(ts|tsx|mjs|cjs)$/;

/** `words`: what the list says. Gives a line for every use, "file:line: ...". */
export async function findOldWords(root, words) {
  const identifiers = new Map(Object.entries(words.identifiers));
  const fileNames = new Map(Object.entries(words.fileNames));
  const found = [];
  for (const folder of folders) {
    for (const path of await filesIn(join(root, folder))) {
      const shown = relative(root, path).split(sep).join('/');
      const name = shown.split('/').at(-1).replace(/\..*$/, '');
      if (fileNames.has(name))
        found.push(`${shown}: name the file for what it holds, e.g. ${fileNames.get(name)}`);
      if (source.test(path)) found.push(...oldIdentifiers(shown, await readFile(path, 'utf8'), identifiers));
    }
  }
  return found;
}

async function filesIn(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes(`${sep}fixtures${sep}`))
    .sort();
}

function oldIdentifiers(path, text, identifiers) {
  const scanned = new RegExp(`\\b(?:${[...identifiers.keys()].join('|')})\\b`);
  if (!scanned.test(text)) return [];
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, false, kind);
  const found = [];
  const visit = (node) => {
    if ((ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) && identifiers.has(nameOf(node))) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      found.push(`${path}:${line + 1}: "${nameOf(node)}" is now ${identifiers.get(nameOf(node))}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const nameOf = (node) => node.text.replace(/^#/, '');

if (process.argv[1] === import.meta.filename) {
  const words = JSON.parse(await readFile(join(import.meta.dirname, 'words.json'), 'utf8'));
  const found = await findOldWords(process.cwd(), words);
  for (const line of found) process.stderr.write(`${line}\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
