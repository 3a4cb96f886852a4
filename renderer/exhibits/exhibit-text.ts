import type { ExhibitProblem } from '../../preload/contract/exhibit';

/** The first sentence of a note, and the rest: more is a wall of text beside a table. */
export function firstSentence(note: string): readonly [first: string, rest: string] {
  const end = note.search(/[.?!] (?=[A-Z])/) + 1;
  return end === 0 ? [note, ''] : [note.slice(0, end), note.slice(end + 1)];
}

/** Gives a copy its own id. */
export function withOwnId(text: string): string {
  return text.replace(/("id"\s*:\s*")([a-z0-9][a-z0-9-]*)(")/, (_, before, id, after) => {
    const own = id.startsWith('my-') ? id : `my-${id}`;
    return `${before}${own.slice(0, 60)}${after}`;
  });
}

/**
 * Offset in a JSON text of the value at a path such as "cells[3].reference[0].value", so that the editor can jump to a
 * problem. If the path does not exist, the offset of its longest existing prefix; null: the text is not JSON up to there.
 */
export function offsetOfPath(text: string, path: string): number | null {
  const segments = path.match(/[^.[\]]+/g) ?? [];
  let at = 0;
  const skipSpace = (): void => {
    while (at < text.length && /\s/.test(text[at] ?? '')) at += 1;
  };
  /** The end of the string that begins here. */
  const skipString = (): string => {
    const from = at;
    at += 1;
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    at += 1;
    return text.slice(from + 1, at - 1);
  };
  const skipValue = (): void => {
    skipSpace();
    let depth = 0;
    while (at < text.length) {
      const char = text[at] ?? '';
      if (char === '"') {
        skipString();
        if (depth === 0) return;
        continue;
      }
      if (depth === 0 && (char === ',' || char === ']' || char === '}')) return;
      if (char === '{' || char === '[') depth += 1;
      if (char === '}' || char === ']') {
        depth -= 1;
        if (depth === 0) {
          at += 1;
          return;
        }
      }
      at += 1;
    }
  };
  skipSpace();
  if (at >= text.length) return null;
  for (const part of segments) {
    const begin = at;
    const isList = text[at] === '[';
    if (!isList && text[at] !== '{') return begin;
    at += 1;
    let index = 0;
    let isFound = false;
    for (skipSpace(); at < text.length && text[at] !== ']' && text[at] !== '}'; skipSpace()) {
      let name = String(index);
      if (!isList) {
        if (text[at] !== '"') return begin;
        name = skipString();
        skipSpace();
        if (text[at] !== ':') return begin;
        at += 1;
        skipSpace();
      }
      if (name === part) {
        isFound = true;
        break;
      }
      skipValue();
      skipSpace();
      if (text[at] === ',') at += 1;
      index += 1;
    }
    if (!isFound) return begin;
  }
  return at;
}

/** Where a text that is no JSON breaks off, as main says it: "... at line 3, column 5."; 0: it does not say. */
function jsonErrorAt(message: string, text: string): number {
  if (/ends too early/.test(message)) return text.length;
  const [, line, column] = /at line (\d+), column (\d+)/.exec(message) ?? [];
  if (line === undefined || column === undefined) return 0;
  const before = text.split('\n').slice(0, Number(line) - 1);
  return before.reduce((sum, one) => sum + one.length + 1, 0) + Number(column) - 1;
}

/** Where a problem stands in the text: at its path, or where the JSON breaks off. */
export function offsetOfProblem(text: string, { path, message }: ExhibitProblem): number {
  return (path === '' ? null : offsetOfPath(text, path)) ?? jsonErrorAt(message, text);
}

/** The line number of an offset, from 1. */
export function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = 0; at < offset && at < text.length; at += 1) if (text[at] === '\n') line += 1;
  return line;
}
