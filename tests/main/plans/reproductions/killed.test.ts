import { execFileSync, spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { probeSandbox } from '../../../../main/grading';
import type { ExhibitResult, ReproductionView } from '../../../../preload/contract';
import { saveBasePolicies } from '../../../support/base-policies';
import { buildWorkbench } from '../../../support/built-workbench';
import { temporaryFolder } from '../../../support/temporary-folder';
import { tinyExhibit } from '../../../support/tiny-exhibit';
import { writeExhibits } from '../../../support/workbench-bench';

const sandboxProblem = await probeSandbox({ resourcesDir: resolve('resources'), allowUnsandboxed: false });

let project = '';
beforeAll(async () => {
  project = await buildWorkbench();
});

/** Runs the terminal to its end, or kills it hard so long after its first word. Answers what it printed. */
function cli(dataDir: string, args: readonly string[], killAfterMs: number | null = null): Promise<string> {
  const program = join(project, 'out', 'main', 'cli.js');
  const child = spawn(process.execPath, [program, ...args, '--data', dataDir]);
  let output = '';
  child.stdout.on('data', (piece: Buffer) => {
    output += piece.toString();
  });
  let kill: NodeJS.Timeout | null = null;
  child.stderr.on('data', () => {
    if (killAfterMs !== null) kill ??= setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  });
  return new Promise((ended) => {
    // Of one that was killed nothing is waited for: what it has begun may hold its output open for long.
    child.on('exit', (_code, signal) => {
      if (signal === 'SIGKILL') ended(output);
    });
    child.on('close', () => {
      if (kill !== null) clearTimeout(kill);
      ended(output);
    });
  });
}

/** Trainers, servers and all other processes of this data folder die as well, as in a power cut. */
function killEverything(dataDir: string): void {
  const processes = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  for (const line of processes) {
    const pid = Number(/^\s*(\d+)/.exec(line)?.[1] ?? 0);
    if (pid === 0 || pid === process.pid || !line.includes(dataDir)) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

const recordOf = (dataDir: string, id: string) => join(dataDir, 'reproductions', id, 'reproduction.json');

/** From its file: to ask the terminal would open a whole workbench, which works on it. */
async function isGoingOn(dataDir: string, id: string): Promise<boolean> {
  return JSON.parse(await readFile(recordOf(dataDir, id), 'utf8')).endedAt === null;
}

test.skipIf(sandboxProblem !== null)(
  'an exhibit whose workbench is killed again and again, at times with all its trainers and servers, is done by the next ones, with the numbers of one that was not (skipped where no sandbox starts)',
  async () => {
    const dataDir = await temporaryFolder();
    await writeExhibits(dataDir, [tinyExhibit()]);
    // The policy that takes longest; the other one is made, and killed while it is.
    await saveBasePolicies(join(dataDir, 'checkpoints'), ['reader'], 11);
    await cli(dataDir, ['reproduce', 'tiny'], 1_500);
    killEverything(dataDir);
    const [id = ''] = await readdir(join(dataDir, 'reproductions'));
    for (let times = 0; times < 3 && (await isGoingOn(dataDir, id)); times++) {
      await cli(dataDir, ['reproductions', 'follow', id], 500 + 2_500 * times);
      if (times % 2 === 0) killEverything(dataDir);
    }
    const killed = JSON.parse(await cli(dataDir, ['reproductions', 'follow', id, '--json'])) as ExhibitResult;
    const [end] = JSON.parse(await cli(dataDir, ['reproductions', 'list', '--json'])) as ReproductionView[];
    expect(end?.state).toEqual({ kind: 'done' });
    // Each was begun once, whoever was killed meanwhile.
    const trainings = JSON.parse(await cli(dataDir, ['trainings', 'list', '--json'])) as unknown[];
    expect(trainings).toHaveLength(2);
    expect(end?.done).toBe(end?.total);

    const other = await temporaryFolder();
    await writeExhibits(other, [tinyExhibit()]);
    // Base policies are the same wherever they are made.
    await mkdir(join(other, 'checkpoints'), { recursive: true });
    await cp(join(dataDir, 'checkpoints'), join(other, 'checkpoints'), { recursive: true });
    const whole = JSON.parse(await cli(other, ['reproduce', 'tiny', '--json'])) as ExhibitResult;
    const numbers = ({ cells }: ExhibitResult) =>
      cells.map(({ row, column, ours }) => ({ row, column, ours }));
    expect(numbers(killed)).toEqual(numbers(whole));
    expect(numbers(killed).every(({ ours }) => ours !== null)).toBe(true);

    // As a kill of an earlier version left it, just behind a search: nobody was to end its grading any more.
    const record = recordOf(dataDir, id);
    const { notes, ...ended } = JSON.parse(await readFile(record, 'utf8'));
    for (const step of Object.keys(notes))
      if (/^(grade|metrics):|^cell:base/.test(step)) notes[step].state = { kind: 'planned' };
    await writeFile(record, JSON.stringify({ ...ended, endedAt: null, notes }));
    const again = JSON.parse(await cli(dataDir, ['reproductions', 'follow', id, '--json'])) as ExhibitResult;
    expect(numbers(again)).toEqual(numbers(whole));
  },
  900_000,
);
