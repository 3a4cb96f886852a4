// Regular expressions that can take quadratic time or worse: each is refused, unless slow-patterns.json says why the text
// that it reads is short. Which ones those are is decided by the pattern alone (super-linear.mjs): same code, same answer.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';
import { superLinear } from './super-linear.mjs';

const folders = ['main', 'preload', 'renderer', 'resources'];
const source = /\.(ts|tsx|mjs|cjs)$/;

/**
 * `bounded`: { "file": { "/pattern/flags": "why the text is short" } }. Gives a line for every slow pattern,
 * "file:line: ...", and one for every entry of the list that has no pattern any more.
 */
export async function findSlowPatterns(root, bounded) {
  const found = [];
  const used = new Set();
  const verdicts = new Map();
  for (const folder of folders) {
    for (const path of await filesIn(join(root, folder))) {
      const shown = relative(root, path).split(sep).join('/');
      for (const { pattern, flags, line } of patternsOf(shown, await readFile(path, 'utf8'))) {
        const literal = `/${pattern}/${flags}`;
        if (!verdicts.has(literal)) verdicts.set(literal, superLinear(pattern, flags));
        const why = verdicts.get(literal);
        if (why === null) continue;
        if (bounded[shown]?.[literal] !== undefined) used.add(`${shown} ${literal}`);
        else found.push(`${shown}:${line}: ${literal} ${why}`);
      }
    }
  }
  for (const [path, literals] of Object.entries(bounded)) {
    for (const literal of Object.keys(literals)) {
      if (!used.has(`${path} ${literal}`))
        found.push(`${path}: slow-patterns.json lists ${literal}, which is not there or not slow`);
    }
  }
  return found;
}

async function filesIn(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && source.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Literals, and `new RegExp` of strings and templates; what a template inserts is taken for a letter. */
function patternsOf(path, text) {
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true, kind);
  const found = [];
  const visit = (node) => {
    const pattern = patternAt(node);
    if (pattern !== null) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      found.push({ ...pattern, line: line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function patternAt(node) {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return { pattern: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  }
  if (!ts.isNewExpression(node) || node.expression.getText() !== 'RegExp') return null;
  const [pattern, flags] = (node.arguments ?? []).map(textOf);
  return pattern === undefined || pattern === null ? null : { pattern, flags: flags ?? '' };
}

function textOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTaggedTemplateExpression(node)) return joined(node.template, (part) => part.rawText);
  if (ts.isTemplateExpression(node)) return joined(node, (part) => part.text);
  if (ts.isBinaryExpression(node)) {
    const sides = [node.left, node.right].map(textOf);
    return sides.includes(null) ? null : sides.join('');
  }
  return null;
}

const joined = (template, text) =>
  template.head === undefined
    ? text(template)
    : [template.head, ...template.templateSpans.map(({ literal }) => literal)].map(text).join('x');

if (process.argv[1] === import.meta.filename) {
  const bounded = JSON.parse(await readFile(join(import.meta.dirname, 'slow-patterns.json'), 'utf8'));
  const found = await findSlowPatterns(process.cwd(), bounded);
  for (const line of found) process.stderr.write(`${line}\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
