const FENCE = '```';

/** Orders texts by code units: the order is the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A text of at most `most` characters: a longer one is cut between words, with an ellipsis. */
export function shortText(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  const words = cut.slice(0, cut.lastIndexOf(' ') + 1).trimEnd();
  // One long word, as of a path, is cut where it must be.
  return `${words.length > most / 2 ? words : cut}…`;
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
export function lastFencedBlock(answer: string): string | null {
  const lines = answer.split('\n');
  const last = lines.findLastIndex((line) => line.includes(FENCE));
  if (last <= 0) return null;
  const first = lines.slice(0, last).findLastIndex((line) => line.includes(FENCE));
  return first === -1 ? null : lines.slice(first + 1, last).join('\n');
}
