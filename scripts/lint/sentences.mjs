// Lists every text that a person reads in the window, in the terminal and of the scripts, a line each: file, line, text; what is
// filled in stands as {…}. For reading all of it as a stranger would: node scripts/lint/sentences.mjs [FOLDER ...]
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import ts from 'typescript';

/** Where texts for people are written. */
const FOLDERS = ['renderer', 'main', 'preload', 'scripts'];
const KINDS = { '.ts': ts.ScriptKind.TS, '.tsx': ts.ScriptKind.TSX, '.mjs': ts.ScriptKind.JS };
/** Properties and attributes whose values are not shown. */
const NOT_READ =
  /^(className|id|key|track|kind|href|d|style|gridTemplateColumns|fill|stroke|transform|type|role|aria-labelledby)$/;

/** The texts of one file, in their order; `path` decides whether it is TSX. */
export function textsOf(path, code) {
  const kind = KINDS[extname(path)];
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.ESNext, true, kind);
  const found = [];
  const visit = (node) => {
    if (isNotRead(node)) return;
    const text = textOf(node)?.replace(/\s+/g, ' ').trim();
    if (text !== undefined && isForPeople(text, node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      found.push({ line: line + 1, text });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isNotRead(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return true;
  const named = ts.isJsxAttribute(node) || ts.isPropertyAssignment(node);
  return named && NOT_READ.test(node.name.getText());
}

function textOf(node) {
  if (ts.isJsxText(node) || ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
    return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `{…}${literal.text}`).join('');
}

/** Texts of a single word are read where they stand alone: between tags, as a label, title or name. */
function isForPeople(text, node) {
  if (!/\p{L}{2}/u.test(text)) return false;
  if (/^(#|\.|\/|var\(|--|@)/.test(text) || /^\w+[-.:/]\S*$/.test(text)) return false;
  if (ts.isJsxText(node) || /\p{L}\S* \S*\p{L}/u.test(text)) return true;
  return /^\p{Lu}\p{Ll}/u.test(text);
}

/** The texts of all files in these folders of `root`, with their file. */
export async function allTexts(root, folders = FOLDERS) {
  const found = [];
  for (const folder of folders) {
    const entries = await readdir(join(root, folder), { withFileTypes: true, recursive: true });
    const paths = entries
      .filter((entry) => entry.isFile() && extname(entry.name) in KINDS)
      .map((entry) => join(entry.parentPath, entry.name));
    for (const path of paths.sort()) {
      const file = relative(root, path).split(sep).join('/');
      found.push(...textsOf(path, await readFile(path, 'utf8')).map((text) => ({ file, ...text })));
    }
  }
  return found;
}

if (process.argv[1] === import.meta.filename) {
  const folders = process.argv.length > 2 ? process.argv.slice(2) : undefined;
  for (const { file, line, text } of await allTexts(process.cwd(), folders)) {
    process.stdout.write(`${file}:${line}\t${text}\n`);
  }
}
