import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workspace } from './workspace';

/** A study of four configurations, over in seconds. */
export const STUDY = ['quickstart', '--problems', '4', '--nodes', '6', '--seed', '7'] as const;
/** Holds answers back, so that something is in flight whenever a fault comes; it changes no result. */
export const SLOWLY = ['--latency-ms', '80'] as const;
/** The same for faults that take long. */
export const MORE_SLOWLY = ['--latency-ms', '300'] as const;
/** A training of two policies, over in seconds. */
export const TRAINING = [
  ...['trainings', 'start', 'pocket', '--method', 'heter-mars2', '--families', 'reader,tracer'],
  ...['--updates', '8', '--batch', '16', '--trees', '4', '--nodes', '4', '--set', 'problems=12'],
  ...['--checkpoint-every', '4', '--samples', '4', '--evaluation-nodes', '6', '--problems', '4'],
  ...['--split', 'validation'],
] as const;

/** The tables of a study that must be the same whatever happened, by name. */
export async function studyBytes({ outDir }: Workspace): Promise<Record<string, string>> {
  return textsOf(outDir, ['table.csv', 'nodes.csv', 'curves.csv']);
}

/** The files of a training that must be the same, by name: all but times, stage, state and records. */
export async function trainingBytes(folder: string): Promise<Record<string, string>> {
  const checkpoints = await readdir(join(folder, 'checkpoints')).catch(() => []);
  const names = checkpoints.sort().map((name) => join('checkpoints', name));
  return textsOf(folder, ['metrics.jsonl', 'rollouts.jsonl', 'evaluation.json', ...names]);
}

async function textsOf(folder: string, names: readonly string[]): Promise<Record<string, string>> {
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
  return Object.fromEntries(names.map((name, at) => [name, texts[at] ?? '']));
}

/** Which texts differ; null: none. */
export function difference(
  found: Readonly<Record<string, string>>,
  expected: Readonly<Record<string, string>>,
): string | null {
  const names = [...new Set([...Object.keys(found), ...Object.keys(expected)])].sort();
  for (const name of names) {
    const [one, other] = [found[name] ?? '', expected[name] ?? ''];
    if (one === other) continue;
    const [lines, wanted] = [one.split('\n'), other.split('\n')];
    const at = wanted.findIndex((line, index) => line !== lines[index]);
    const shown = (line: string | undefined) => `"${(line ?? '').slice(0, 160)}"`;
    return `${name} differs at line ${at + 1}: ${shown(lines[at])} instead of ${shown(wanted[at])}`;
  }
  return null;
}
