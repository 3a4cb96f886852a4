import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageProblem } from './messages';
import type { FaultContext } from './scenario';
import { mustRun } from './site';
import { difference, TRAINING, trainingBytes } from './workload';
import type { CommandOptions, Workspace } from './workspace';

/** More times than any training has to be resumed. */
const MAX_SESSIONS = 15;

/** Starts the small training; answers its id. */
export async function beginTraining(
  workspace: Workspace,
  args: readonly string[] = [],
  options?: CommandOptions,
): Promise<string> {
  const started = await mustRun(workspace, [...TRAINING, ...args, '--json'], options);
  return (JSON.parse(started) as { id: string }).id;
}

export type TrainingDrive = {
  readonly workspace: Workspace;
  readonly id: string;
  /** The folder in which it trains; its place in the data folder unless it runs on another machine. */
  readonly folder?: string;
  readonly faults: number;
  /** Makes the fault; false: there was nothing to hit just then. */
  readonly strike: (folder: string) => Promise<boolean>;
  readonly options?: CommandOptions;
};

/**
 * Follows a training to its end, with faults at random points. Whatever ends it is answered with `trainings resume`. Then
 * all promises about a training are checked. Answers how many faults there were.
 */
export async function driveTraining(context: FaultContext, drive: TrainingDrive): Promise<number> {
  const { random, check, count, isOver, site } = context;
  const { workspace, id, strike, options } = drive;
  const folder = drive.folder ?? join(workspace.dataDir, 'trainings', id);
  let made = 0;
  let session = workspace.start(['trainings', 'follow', id], options);
  for (let sessions = 1; ; ) {
    while (made < drive.faults && !isOver() && session.isAlive()) {
      await Promise.race([sleep(50 + random.integer(1_200)), session.ended]);
      if (!session.isAlive() || !(await strike(folder))) continue;
      made += 1;
      count();
    }
    const ended = await session.ended;
    if (ended.code === 0) break;
    if (ended.code !== null) check('words', messageProblem(ended));
    sessions += 1;
    if (sessions > MAX_SESSIONS) {
      check('kept', `after ${sessions} commands the training has no end: ${ended.err.slice(-300)}`);
      return made;
    }
    // The command alone may have ended, and the training goes on.
    const state = await stateOf(workspace, id, options);
    const words = state === 'running' || state === 'queued' ? ['follow', id] : ['resume', id, '-f'];
    session = workspace.start(['trainings', ...words], options);
  }
  check('once', await doubledUpdate(folder));
  check('bytes', difference(await trainingBytes(folder), await site.undisturbedTraining()));
  return made;
}

async function stateOf(workspace: Workspace, id: string, options?: CommandOptions): Promise<string> {
  const list = JSON.parse(await mustRun(workspace, ['trainings', 'list', '--json'], options)) as {
    id: string;
    state: { kind: string };
  }[];
  return list.find((training) => training.id === id)?.state.kind ?? 'absent';
}

/** An update that stands in the metrics twice; null: none. */
async function doubledUpdate(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, 'metrics.jsonl'), 'utf8').catch(() => '');
  const seen = new Set<string>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const {
      step,
      agent,
      part = 'train',
    } = JSON.parse(line) as { step: number; agent: string; part?: string };
    const key = `update ${step} of ${agent} (${part})`;
    if (seen.has(key)) return `metrics.jsonl has ${key} twice`;
    seen.add(key);
  }
  return null;
}
