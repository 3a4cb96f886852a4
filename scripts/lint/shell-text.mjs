// Scripts for a shell are put together in the logic folders of main alone, where `shellWord` quotes every value: anywhere
// else, a text that reaches a shell is written out in full, or comes from one of their functions.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';

/** Where scripts may be put together; `local-run.ts` puts the user's mask for new files in front of each. */
const isBuilder = (path) =>
  /^main\/(base|[^/]+\/logic)\//.test(path) || path === 'main/machines/local-run.ts';
/** Methods and functions that run a script, with the place of the script in their arguments. */
const runners = { run: 0, terminal: 0, spawnScript: 1 };
/** Of Node; a regular expression's method of that name is none. */
const nodeRunners = { exec: 0, execSync: 0 };
const MESSAGE =
  'a script is put together here: build it in a logic folder of main, with shellWord around every value';

/** Gives a line for every script that is put together elsewhere, "file:line: ...". */
export async function findShellTexts(root) {
  const found = [];
  const entries = await readdir(join(root, 'main'), { withFileTypes: true, recursive: true });
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.sort()) {
    const shown = relative(root, path).split(sep).join('/');
    if (!isBuilder(shown)) found.push(...shellTextsIn(shown, await readFile(path, 'utf8')));
  }
  return found;
}

function shellTextsIn(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const known = declarationsOf(file);
  const found = [];
  const check = (script) => {
    if (script === undefined || !isConcatenated(script, known)) return;
    const { line } = file.getLineAndCharacterOfPosition(script.getStart(file));
    found.push(`${path}:${line + 1}: ${MESSAGE}`);
  };
  const visit = (node) => {
    if (ts.isCallExpression(node)) {
      const callee = node.expression;
      const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText(file);
      const places = ts.isIdentifier(callee) ? { ...runners, ...nodeRunners } : runners;
      if (Object.hasOwn(places, name)) check(node.arguments[places[name]]);
    }
    // [..., 'sh', '-c', script], and spawn('/bin/sh', ['-c', script]).
    if (ts.isArrayLiteralExpression(node)) {
      const flag = node.elements.findIndex(isFlag);
      const before = flag > 0 ? node.elements[flag - 1] : node.parent.arguments?.[0];
      if (flag >= 0 && isShell(before)) check(node.elements[flag + 1]);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const isShell = (word) =>
  word !== undefined && ts.isStringLiteral(word) && /(^|\/)(ba|da|k|z)?sh$/.test(word.text);
const isFlag = (word) => ts.isStringLiteral(word) && /^-l?c$/.test(word.text);

/** What the names of a file stand for: the values of its constants, and what its functions return. */
function declarationsOf(file) {
  const known = new Map();
  const add = (name, values) => known.set(name, [...(known.get(name) ?? []), ...values]);
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined)
      add(node.name.text, isFunction(node.initializer) ? returnsOf(node.initializer) : [node.initializer]);
    else if (ts.isFunctionDeclaration(node) && node.name !== undefined) add(node.name.text, returnsOf(node));
    else if (ts.isBinaryExpression(node) && /^\+?=$/.test(node.operatorToken.getText(file)))
      if (ts.isIdentifier(node.left)) add(node.left.text, [node.right]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return known;
}

const isFunction = (node) => ts.isArrowFunction(node) || ts.isFunctionExpression(node);

function returnsOf(declaration) {
  if (declaration.body === undefined) return [];
  if (!ts.isBlock(declaration.body)) return [declaration.body];
  const returned = [];
  const visit = (node) => {
    if (ts.isReturnStatement(node) && node.expression !== undefined) returned.push(node.expression);
    if (!isFunction(node) && !ts.isFunctionDeclaration(node)) ts.forEachChild(node, visit);
  };
  visit(declaration.body);
  return returned;
}

/** Whether a text is made of parts of which at least one is not written out here. */
function isConcatenated(node, known, seen = new Set()) {
  if (seen.has(node)) return false;
  seen.add(node);
  const again = (part) => isConcatenated(part, known, seen);
  if (ts.isTemplateExpression(node)) return true;
  if (ts.isBinaryExpression(node))
    return node.operatorToken.kind === ts.SyntaxKind.PlusToken || again(node.left) || again(node.right);
  if (ts.isConditionalExpression(node)) return again(node.whenTrue) || again(node.whenFalse);
  if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node) || ts.isAsExpression(node))
    return again(node.expression);
  if (ts.isTaggedTemplateExpression(node)) return again(node.template);
  if (ts.isIdentifier(node)) return (known.get(node.text) ?? []).some(again);
  if (!ts.isCallExpression(node)) return false;
  if (ts.isIdentifier(node.expression)) return again(node.expression);
  if (!ts.isPropertyAccessExpression(node.expression)) return false;
  const { expression: owner, name } = node.expression;
  return /^(join|concat|replace|replaceAll)$/.test(name.text) || again(owner);
}

if (process.argv[1] === import.meta.filename) {
  const found = await findShellTexts(process.cwd());
  for (const line of found) process.stderr.write(`${line}\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
