const FENCE = '```';

/** Orders texts by code units: the order is the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** "1 cell", "2 cells". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The place in a file of JSON where a check failed, e.g. "cells[3].configuration". */
export function pathText(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? String(part) : `.${String(part)}`;
  }
  return text;
}

/**
 * What a machine or another user wrote, as it may be shown: without control characters, line ends and marks that turn the
 * direction of writing.
 */
export function printableText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** The lines between the last two lines that hold three backticks; null: there is no such block. */
export function betweenLastFences(answer: string): string | null {
  const lines = answer.split('\n');
  const last = lines.findLastIndex((line) => line.includes(FENCE));
  if (last <= 0) return null;
  const first = lines.slice(0, last).findLastIndex((line) => line.includes(FENCE));
  return first === -1 ? null : lines.slice(first + 1, last).join('\n');
}
