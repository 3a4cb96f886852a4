import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createDetachedStarter, hasEnded } from '../../../main/jobs';
import { parseLeftOut } from '../../../main/jobs/logic/log-limit';
import { leftOutText } from '../../../preload/contract';
import { buildScript } from '../../support/bundled-script';
import { eventually } from '../../support/eventually';
import { type JobBench, openJobBench } from '../../support/job-bench';
import { unwrap } from '../../support/unwrap';

const LIMIT = 400_000;
const never = new AbortController().signal;
const silent = () => undefined;

let bench: JobBench;
beforeEach(async () => {
  const clock = { now: () => Date.now() };
  bench = await openJobBench({ starter: createDetachedStarter({ clock, logLimitBytes: () => LIMIT }) });
});
afterEach(() => bench.dispose());

const outputOf = (id: string): string => join(bench.folder, 'jobs', id, 'output.log');

async function launch(script: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const command = { kind: 'line', line: script } as const;
  const spec = { machineId: 'local', name: 'a job', purpose: 'command', command };
  return (await unwrap(bench.jobs.launch({ ...spec, env: { MARS2_LOG_PAUSE: '0.02', ...env } }))).id;
}

const ended = (id: string) =>
  eventually('its end', async () => hasEnded((await unwrap(bench.jobs.inspect(id))).view.state));

/** Lines of 99 bytes with their number, as `print FIRST LAST` of the shell writes them. */
const LINE_BYTES = 99;
const lineText = (number: number): string => `${String(number).padStart(96, '0')}é\n`;
const linesText = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, at) => lineText(from + at)).join('');
const PRINT = `print() { awk -v i="$1" -v n="$2" 'BEGIN { for (; i <= n; i++) printf "%096dé\\n", i }'; }`;

/**
 * Prints a quarter of the limit at a time, then waits until the log was shortened and a copy has followed: a log that is
 * cut loses what is printed in that moment.
 */
const ROUNDS = 25;
const LINES_A_ROUND = 1_100;
const ROTATING = `${PRINT}
round=0 last=0
while [ "$round" -lt ${ROUNDS} ]; do
  print $((round * ${LINES_A_ROUND} + 1)) $(((round + 1) * ${LINES_A_ROUND}))
  round=$((round + 1))
  printed=$((round * ${LINES_A_ROUND * LINE_BYTES}))
  while :; do
    first=0 to=0
    [ ! -r output.log.left-out ] || read -r first to rest <output.log.left-out
    [ "$to" = "$last" ] || echo "$to" >>rotations
    last=$to
    copied=$(stat -c %s "$COPY" 2>/dev/null || echo 0)
    [ $((printed - to + first)) -gt ${LIMIT} ] || [ "$copied" -lt "$printed" ] || [ -e output.log.end-at ] || break
    sleep 0.02
  done
done`;

/** A PATH where no part of a file can be freed, as on disks that cannot. */
async function pathWithoutFreeing(): Promise<string> {
  const tools = join(bench.folder, 'tools');
  await mkdir(tools);
  await writeFile(join(tools, 'fallocate'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  return `${tools}:${process.env.PATH}`;
}

async function follower(id: string, copy: string): Promise<ChildProcess> {
  const script = await buildScript(resolve('tests/fixtures/programs/follow-log.ts'));
  const process = spawn('node', [script, outputOf(id), copy], { stdio: 'inherit' });
  onTestFinished(() => void process.kill('SIGKILL'));
  return process;
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => ({ size: 0 }))).size;

test.each(['freed', 'cut'])(
  'a log that is followed over 20 rotations (%s) and three deaths of the follower loses and doubles no byte',
  async (way) => {
    const copy = join(bench.folder, 'copy');
    const PATH = way === 'cut' ? await pathWithoutFreeing() : (process.env.PATH ?? '');
    const id = await launch(ROTATING, { COPY: copy, PATH });
    for (const bytes of [300_000, 900_000, 1_800_000]) {
      const mortal = await follower(id, copy);
      await eventually('its copy', async () => (await sizeOf(copy)) > bytes);
      mortal.kill('SIGKILL');
      await once(mortal, 'exit');
    }
    const last = await follower(id, copy);
    await ended(id);
    const whole = linesText(1, ROUNDS * LINES_A_ROUND);
    await eventually('the rest', async () => (await sizeOf(copy)) === Buffer.byteLength(whole));
    last.kill('SIGKILL');
    expect(await readFile(copy, 'utf8')).toBe(whole);
    const rotations = (await readFile(join(bench.folder, 'jobs', id, 'rotations'), 'utf8'))
      .trim()
      .split('\n');
    expect(rotations.length).toBeGreaterThanOrEqual(20);
    const note = parseLeftOut(await readFile(`${outputOf(id)}.left-out`, 'utf8'));
    expect(note).toMatchObject({ limitBytes: LIMIT, isCut: way === 'cut' });
    const disk = await stat(outputOf(id));
    expect(disk.size).toBe(Buffer.byteLength(whole));
    expect(disk.blocks * 512).toBeLessThanOrEqual(LIMIT + 8_192);
  },
);

describe('a log whose middle was left out', () => {
  const LINES = 30_000;
  const whole = linesText(1, LINES);
  /** It printed without anybody reading. */
  const written = async () => {
    const id = await launch(`${PRINT}\nprint 1 ${LINES}`);
    await ended(id);
    const { logLeftOut: leftOut, ...view } = await unwrap(bench.jobs.view(id));
    if (leftOut === undefined) throw new Error('nothing was left out');
    return { id, leftOut, view };
  };
  /** A line that is still there: the first one behind the part. */
  const lineAt = (offset: number) => offset / LINE_BYTES + 1;

  test('keeps its beginning and its end in their places, and the job says so', async () => {
    const { id, leftOut, view } = await written();
    expect(view.logBytes).toBe(whole.length + LINES);
    expect(view.timeline.filter(({ what }) => what === 'log limit')).toHaveLength(1);
    const bytes = Buffer.from(whole);
    const pieces: string[] = [];
    let offset = 0;
    for (;;) {
      const piece = await unwrap(bench.jobs.readLog(id, 'output', offset, 65_536));
      expect(piece.leftOut).toEqual(leftOut);
      expect(piece.start).toBe(offset === leftOut.from ? leftOut.to : undefined);
      if (piece.text === '') break;
      const start = piece.start ?? offset;
      expect(piece.text).toBe(bytes.subarray(start, piece.nextOffset).toString());
      pieces.push(piece.text);
      offset = piece.nextOffset;
    }
    expect(offset).toBe(bytes.length);
    expect(Buffer.byteLength(pieces.join(''))).toBeLessThanOrEqual(LIMIT);
    expect(leftOut.lines).toBe((leftOut.to - leftOut.from) / LINE_BYTES);
    const inside = await unwrap(bench.jobs.readLog(id, 'output', leftOut.to - 10, 100));
    expect(inside.start).toBe(leftOut.to);
  });

  test('finds text and lines by their numbers on both sides of it', async () => {
    const { id, leftOut } = await written();
    const first = lineAt(leftOut.to);
    const find = async (text: string) =>
      (await unwrap(bench.jobs.searchLog(id, 'output', { text, offset: 0, limit: 10 }, silent, never)))
        .matches;
    for (const line of [7, first, LINES])
      expect((await find(lineText(line).trim())).map(({ line, offset }) => [line, offset])).toEqual([
        [line, (line - 1) * LINE_BYTES],
      ]);
    expect(await find(lineText(first - 1).trim())).toEqual([]);
    const offsetOf = (line: number) => bench.jobs.findLine(id, 'output', line, never).then(unwrap);
    for (const line of [1, 7, lineAt(leftOut.from) - 1, first, first + 1, LINES])
      expect(await offsetOf(line)).toEqual({ offset: (line - 1) * LINE_BYTES, isThere: true });
    for (const line of [lineAt(leftOut.from), first - 1])
      expect(await offsetOf(line)).toEqual({ offset: leftOut.from, isThere: true });
    expect(await offsetOf(LINES + 1)).toEqual({ offset: LINES * LINE_BYTES, isThere: false });
  });

  test('is saved with a line in its place', async () => {
    const { id, leftOut } = await written();
    const bytes = Buffer.from(whole);
    const path = join(bench.folder, 'saved.log');
    const saved = await unwrap(bench.jobs.saveLog(id, 'output', path, silent, never));
    const text = `${bytes.subarray(0, leftOut.from)}${leftOutText(leftOut)}\n${bytes.subarray(leftOut.to)}`;
    expect(await readFile(path, 'utf8')).toBe(text);
    expect(saved.bytes).toBe(Buffer.byteLength(text));
  });

  test('goes on in the next attempt', async () => {
    const { id, leftOut } = await written();
    await unwrap(bench.jobs.relaunch(id));
    await ended(id);
    const after = (await unwrap(bench.jobs.view(id))).logLeftOut;
    expect(after?.from).toBe(leftOut.from);
    const last = await unwrap(bench.jobs.findLine(id, 'output', 2 * LINES, never));
    expect(last).toEqual({ offset: (2 * LINES - 1) * LINE_BYTES, isThere: true });
  });
});

test('nothing of a job is left but its files when it has ended, whatever its log took', async () => {
  const id = await launch('echo x', { MARS2_LOG_PAUSE: '3600' });
  await ended(id);
  const [pid] = (await readFile(join(bench.folder, 'jobs', id, 'attempt-1/process.txt'), 'utf8')).split('\n');
  await eventually('its group to be gone', () => {
    try {
      return !process.kill(-Number(pid), 0);
    } catch {
      return true;
    }
  });
  expect(await sizeOf(`${outputOf(id)}.left-out`)).toBe(0);
});
