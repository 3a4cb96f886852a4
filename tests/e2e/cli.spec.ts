import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { randomStream } from '../../main/base/index';
import { temporaryData } from './support/app';
import { cliEntry, runCli, startCli } from './support/cli';
import { readCsv } from './support/csv';
import { temporaryPocketData } from './support/pocket-data';

async function inData(work: (folder: string) => Promise<void>): Promise<void> {
  const data = await temporaryData();
  try {
    await work(data.path);
  } finally {
    await data.remove();
  }
}

test('the quickstart in the terminal prints the table, writes table.csv and nodes.csv, and leaves no service', async () => {
  const { path, dataDir, remove } = await temporaryPocketData();
  try {
    const out = join(path, 'results');
    const size = ['--problems', '4', '--nodes', '6'];
    const done = runCli(['quickstart', '--out', out, '--data', dataDir, '--json', ...size]);
    expect(done.stderr).toContain('Written:');
    expect(done.status).toBe(0);
    const answer = JSON.parse(done.stdout) as { analysis: { rows: unknown[] }; files: string[] };
    expect(answer.analysis.rows).toHaveLength(4);
    const table = readCsv(await readFile(join(out, 'table.csv'), 'utf8'));
    expect(new Set(table.map((row) => row.configuration))).toEqual(
      new Set(['single', 'single-tracer', 'homogeneous', 'heterogeneous']),
    );
    for (const row of table) {
      expect(row.scale).toBe('pocket');
      expect(Number(row.low)).toBeLessThanOrEqual(Number(row.value));
      expect(Number(row.high)).toBeGreaterThanOrEqual(Number(row.value));
      expect(row.problems).toBe('4');
    }
    const nodes = readCsv(await readFile(join(out, 'nodes.csv'), 'utf8'));
    // 4 problems x (6 nodes + 10 samples per agent), twice for one agent and twice for two
    expect(nodes).toHaveLength(2 * 4 * (6 + 10) + 2 * 4 * (6 + 20));
    expect(nodes.every((row) => row.private_verdict !== '')).toBe(true);
    const service = runCli(['service', 'status', '--data', dataDir]);
    expect(service.stdout + service.stderr).toContain('No service runs, and nothing else');
    expect(service.status).toBe(3);

    // As when the command was killed between its study's end and its files.
    const again = join(path, 'again');
    const resumed = runCli(['resume', '--out', again, '--data', dataDir]);
    expect(resumed.stderr).toContain('Nothing to resume: every study is finished. This is the newest one');
    expect(resumed.status).toBe(0);
    for (const name of ['table.csv', 'nodes.csv', 'curves.csv'])
      expect(await readFile(join(again, name), 'utf8')).toBe(await readFile(join(out, name), 'utf8'));
  } finally {
    await remove();
  }
});

/** How much the studies of a data folder have written, in bytes. */
async function journalBytes(dataDir: string): Promise<number> {
  const studies = join(dataDir, 'studies');
  const names = await readdir(studies, { recursive: true }).catch(() => []);
  const journals = names.filter((name) => name.endsWith('.jsonl'));
  const sizes = await Promise.all(journals.map(async (name) => (await stat(join(studies, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

// That any moment does is what unit tests show: a tree resumed at each of its events, a journal cut at each of its last bytes.
test('a study killed with kill -9 at 8 random points ends with the same bytes as one that was never stopped', async () => {
  test.setTimeout(600_000);
  const pocket = await temporaryPocketData();
  const other = await temporaryPocketData();
  try {
    const size = ['--problems', '6', '--nodes', '10', '--seed', '7'];
    const whole = ['--out', join(pocket.path, 'whole'), '--data', pocket.dataDir];
    expect(runCli(['quickstart', ...size, ...whole]).status).toBe(0);
    const wholeBytes = await journalBytes(pocket.dataDir);

    const random = randomStream('kill points', 1);
    const out = ['--out', join(other.path, 'killed'), '--data', other.dataDir];
    // The latency keeps requests in flight where the study is killed; it changes nothing in the results.
    let session = startCli(['quickstart', ...size, '--latency-ms', '100', ...out]);
    for (let kills = 0; kills < 8; kills += 1) {
      // Every second time wherever it is by then, also while it starts; the first time when there is a study.
      if (kills % 2 === 1) await sleep(200 + random.integer(1_000));
      else {
        const enough = (await journalBytes(other.dataDir)) + 1 + random.integer(wholeBytes / 4);
        while (session.child.exitCode === null && (await journalBytes(other.dataDir)) < enough)
          await sleep(20);
      }
      expect(session.child.exitCode, `ended before kill ${kills}`).toBe(null);
      session.child.kill('SIGKILL');
      await session.ended;
      session = startCli(['resume', ...out]);
    }
    expect(await session.ended).toBe(0);
    for (const name of ['table.csv', 'nodes.csv', 'curves.csv']) {
      const killed = await readFile(join(other.path, 'killed', name));
      expect(killed.equals(await readFile(join(pocket.path, 'whole', name))), name).toBe(true);
    }
  } finally {
    await pocket.remove();
    await other.remove();
  }
});

test('wrong usage says what was expected, makes no folder and ends with exit code 2', () =>
  inData(async (folder) => {
    const out = join(folder, 'out');
    for (const [words, message] of [
      [[], 'Main commands:'],
      [['studies', 'list', '--data', ''], '--data needs a folder, but its value is empty'],
      [['quickstart'], '--out is missing'],
      [['quickstart', '--out', out, '--nodes', 'many'], '--nodes takes a whole number'],
      [['run', '--benchmark', 'x', '--out', out, '--configuration', 'bad'], 'Write NAME=AGENT'],
      [
        ['run', '--benchmark', 'x', '--out', out, '--configuration', 'a=pocket:reader', '--seeds', 'one'],
        '--seeds takes whole numbers',
      ],
    ] as const) {
      const done = runCli([...words], 30_000);
      expect(done.status, words.join(' ')).toBe(2);
      expect(done.stdout + done.stderr).toContain(message);
    }
    expect(existsSync(out)).toBe(false);
  }));

test('a reader that has seen enough, as `head` has, ends a command without a complaint', () =>
  inData(async (folder) => {
    const command = [cliEntry, 'benchmarks', 'list', '--json', '--data', folder];
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy(); // long before it is written to
    let complaints = '';
    child.stderr.on('data', (text) => {
      complaints += text;
    });
    const [code] = await once(child, 'close');
    expect([code, complaints]).toEqual([0, '']);
  }));

test('bad files are refused with what to do, and nothing half imported is left', () =>
  inData(async (folder) => {
    const data = ['--data', join(folder, 'data')];
    const twice = join(folder, 'twice.jsonl.gz');
    await writeFile(twice, gzipSync(gzipSync('{"task_id":"HumanEval/0"}\n')));
    const cut = join(folder, 'cut.jsonl.gz');
    await writeFile(cut, gzipSync('{"task_id":"HumanEval/0"}\n'.repeat(50)).subarray(0, 40));
    const wrong = join(folder, 'wrong.jsonl');
    await writeFile(wrong, '{"question": "?"}\n');
    for (const path of [twice, cut, wrong, join(folder, 'absent.jsonl'), folder]) {
      const done = runCli(['benchmarks', 'import', path, ...data], 30_000);
      expect(done.status, path).toBe(1);
      expect(done.stderr.trim().length, path).toBeGreaterThan(20);
    }
    expect(JSON.parse(runCli(['benchmarks', 'list', '--json', ...data], 30_000).stdout)).toEqual([]);
  }));

test('a damaged registry is reported, moved aside and not overwritten', () =>
  inData(async (folder) => {
    const data = join(folder, 'data');
    expect(runCli(['studies', 'list', '--data', data], 30_000).status).toBe(3);
    expect(existsSync(data)).toBe(false);
    await mkdir(data);
    await writeFile(join(data, 'registry.json'), '{ "version": 1, "settings": ');
    const done = runCli(['studies', 'list', '--data', data], 30_000);
    expect(done.status).toBe(0);
    expect(done.stderr).toContain('registry.damaged-1.json');
    expect(await readFile(join(data, 'registry.damaged-1.json'), 'utf8')).toContain('"settings": ');
  }));

test('a refused export keeps the exit code for scripts', () =>
  inData(async (folder) => {
    const done = runCli(
      ['export', 'no-such-study', '--out', join(folder, 't.csv'), '--data', join(folder, 'd')],
      30_000,
    );
    expect(done.status).toBe(1);
    expect(done.stderr).toContain('no-such-study');
    expect(existsSync(join(folder, 't.csv'))).toBe(false);
  }));

test('a request that cannot run makes no study; a damaged or lost journal is not verified, and is reported with its CSV files', () =>
  inData(async (folder) => {
    const data = ['--data', join(folder, 'data')];
    const test = { kind: 'stdin', input: '2\n', expected: '2\n' };
    const problem = { id: 'echo', statement: 'Print the line.', publicTests: [test], privateTests: [test] };
    await writeFile(join(folder, 'echo.jsonl'), `${JSON.stringify(problem)}\n`);
    await writeFile(join(folder, 'one.jsonl'), '{"task_id":"echo","solution":"print(input())"}\n');
    for (const args of [
      ['benchmarks', 'import', join(folder, 'echo.jsonl')],
      ['recordings', 'import', join(folder, 'one.jsonl'), '--benchmark', 'echo'],
    ]) {
      expect(runCli([...args, ...data], 30_000).status).toBe(0);
    }
    const study = ['--benchmark', 'echo', '--configuration', 'a=recorded:one', '--nodes', '1', ...data];
    const refused = runCli(['run', ...study, '--out', '/dev/null/results'], 60_000);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('/dev/null/results');
    for (const wrong of [
      ['--configuration', 'b=recorded:nobody'],
      ['--reward-model', 'pocket'],
    ]) {
      expect(runCli(['run', ...study, ...wrong, '--out', folder], 60_000).status, wrong.join(' ')).toBe(1);
    }
    expect(existsSync(join(folder, 'data', 'studies'))).toBe(false);

    const ran = runCli(['run', ...study, '--out', folder, '--json'], 60_000);
    const { studyId } = JSON.parse(ran.stdout) as { studyId: string };
    expect(runCli(['verify', studyId, ...data], 30_000).status).toBe(0);

    const journal = join(folder, 'data', 'studies', studyId, `${studyId}.0.1.jsonl`);
    const lines = (await readFile(journal, 'utf8')).split('\n');
    await writeFile(journal, lines.with(1, '?').join('\n'));
    const damaged = runCli(['verify', studyId, ...data], 30_000);
    expect(damaged.status).toBe(1);
    expect(damaged.stderr).toContain('damaged at line 2');
    const table = ['--what', 'table', '--out', join(folder, 't.csv')];
    expect(runCli(['export', studyId, ...table, ...data], 30_000).stderr).toContain('damaged at line 2');

    await rm(journal);
    const gone = runCli(['verify', studyId, ...data], 30_000);
    expect(gone.status).toBe(3);
    expect(gone.stderr).toContain('are missing: its journals are not in');
  }));
