import { spawn } from 'node:child_process';
import type { ExperimentRequest, ExperimentResult } from '../../preload/contract';

/** What experiment-host.ts says at its end. */
export type HostedEnd = {
  readonly state: { readonly kind: string; readonly message?: string };
  readonly done: number;
  readonly names: readonly string[];
  /** Starts of each job. */
  readonly attempts: readonly number[];
  readonly result: { readonly ok: boolean; readonly value: ExperimentResult };
};

export type HostedExperiment = {
  /** experiment-host.ts, bundled. */
  readonly script: string;
  readonly folder: string;
  readonly trainer: string;
  readonly resources: string;
  readonly order: ExperimentRequest;
};

/** Runs the host until it has printed `linesUntilKill` lines and kills it (null), or to its end, which it returns. */
export async function hostExperiment(
  { script, folder, trainer, resources, order }: HostedExperiment,
  linesUntilKill = Number.POSITIVE_INFINITY,
): Promise<HostedEnd | null> {
  const args = [script, folder, trainer, resources, JSON.stringify(order)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (piece: Buffer) => {
    output += piece.toString();
    if (output.split('\n').length - 1 >= linesUntilKill) child.kill('SIGKILL');
  });
  await new Promise((closed) => child.on('close', closed));
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  return last.startsWith('{') ? (JSON.parse(last) as HostedEnd) : null;
}
