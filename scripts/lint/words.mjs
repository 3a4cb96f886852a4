// The words that docs/glossary.md replaced: an identifier or a file name that brings one back is refused, with the word
// to use instead; an ending or a beginning is refused whatever the rest.
// Strings and comments are read by people, not by this.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';

const folders = ['main', 'preload', 'renderer', 'scripts', 'tests'];
const source = /\.(ts|tsx|mjs|cjs)$/;

/** `words`: what the list says. Gives a line for every use, "file:line: ...". */
export async function findReplacedNames(root, words) {
  const beginnings = Object.entries(words.beginnings);
  const endings = Object.entries(words.endings);
  const allowed = new Set(words.allowed);
  const insteadOf = (list) => (name) =>
    Object.hasOwn(list, name)
      ? list[name]
      : allowed.has(name)
        ? undefined
        : (withEnding(endings, name) ?? withBeginning(beginnings, name));
  const identifiers = insteadOf(words.identifiers);
  const listed = [
    ...Object.keys(words.identifiers),
    ...endings.map(([ending]) => `\\w+${ending}`),
    ...beginnings.map(([beginning]) => `${beginning}\\w+`),
  ];
  const scan = new RegExp(`\\b(?:${listed.join('|')})\\b`);
  const fileNames = insteadOf(words.fileNames);
  const found = [];
  for (const folder of folders) {
    for (const path of await filesIn(join(root, folder))) {
      const shown = relative(root, path).split(sep).join('/');
      const name = shown.split('/').at(-1).replace(/\..*$/, '');
      const better = fileNames(name);
      if (better !== undefined) found.push(`${shown}: name the file for what it holds, e.g. ${better}`);
      if (!source.test(path)) continue;
      const text = await readFile(path, 'utf8');
      if (scan.test(text)) found.push(...oldIdentifiers(shown, text, identifiers));
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
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, false, kind);
  const found = [];
  const visit = (node) => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const name = nameOf(node);
      const better = identifiers(name);
      if (better !== undefined) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
        found.push(`${path}:${line + 1}: "${name}" is now ${better}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function withEnding(endings, name) {
  const found = endings.find(([ending]) => name.endsWith(ending) && name !== ending);
  return found && `${name.slice(0, -found[0].length)}${found[1]}`;
}

function withBeginning(beginnings, name) {
  const found = beginnings.find(([beginning]) => name.startsWith(beginning) && name !== beginning);
  return found && `${found[1]}${name.slice(found[0].length)}`;
}

const nameOf = (node) => node.text.replace(/^#/, '');

if (process.argv[1] === import.meta.filename) {
  const words = JSON.parse(await readFile(join(import.meta.dirname, 'words.json'), 'utf8'));
  const found = await findReplacedNames(process.cwd(), words);
  for (const line of found) process.stderr.write(`${line}\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
