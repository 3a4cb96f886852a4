import { spawn, spawnSync } from 'node:child_process';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Duplex } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { checkedClient, UNTRUSTED_LINE_LIMITS } from '../../../main/app/control/checked-client';
import { connectControl, openSocket } from '../../../main/app/control/client';
import { controlSocketOf, serveControlSocket } from '../../../main/app/control/server';
import { fetchPackage, KNOWN_SYSTEMS, nativePackages } from '../../../main/app/service/native-packages';
import { Emitter, shellWords } from '../../../main/base';
import type { JobView, ServiceInfo, StudyView, WorkbenchEvent } from '../../../preload/contract';
import { buildWorkbench } from '../../support/built-workbench';
import { bundleScript } from '../../support/bundled-script';
import { eventually } from '../../support/eventually';
import { healthyCard, nvidiaStandIn } from '../../support/nvidia-stand-in';
import { startSshd } from '../../support/sshd';
import { toolBench } from '../../support/stand-in-tools';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

const project = await buildWorkbench();
const program = join(project, 'out', 'main', 'cli.js');

function mars2(dataDir: string, path: string, ...words: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [program, ...dataBefore(words, dataDir)], {
    env: { ...process.env, PATH: path },
  });
  let output = '';
  child.stdout.on('data', (piece: Buffer) => {
    output += piece.toString();
  });
  return new Promise((ended) => child.once('close', () => ended(output)));
}

/** What stands behind "--" is the job's. */
function dataBefore(words: readonly string[], dataDir: string): string[] {
  const at = words.indexOf('--');
  const own = at === -1 ? words : words.slice(0, at);
  return [...own, '--data', dataDir, ...words.slice(own.length)];
}

test('no window: from the end of a job to the start of the next one that waits for its GPU, and memory of an idle service', async () => {
  const tools = await toolBench();
  // A GPU cannot be here: a stand-in for nvidia-smi names one.
  await nvidiaStandIn(tools, [healthyCard(0)]);
  const path = `${tools.tools}:${process.env.PATH ?? ''}`;
  const dataDir = join(await temporaryFolder(), 'data');
  await mkdir(dataDir);
  await mars2(dataDir, path, 'service', 'start', '--temporary');
  onTestFinished(async () => void (await mars2(dataDir, path, 'service', 'stop')));
  const status = async () =>
    JSON.parse(await mars2(dataDir, path, 'service', 'status', '--json')) as { openBy: ServiceInfo };
  const idle = (await status()).openBy.memoryBytes;
  const marks = await temporaryFolder();
  /** Longer than the minute in which a young job is looked at more often. */
  const SECONDS = 65;
  const job = (name: string) => {
    const line = `sleep ${SECONDS}; touch ${shellWords([join(marks, name)])}`;
    return mars2(dataDir, path, 'jobs', 'start', 'local', '--gpus', '1', '--name', name, '--', line);
  };
  const names = ['first', 'second', 'third'];
  for (const name of names) await job(name);
  // Nobody asks the service meanwhile: it looks more often at what somebody looks at.
  const areOver = async () => (await readdir(marks)).length === names.length;
  await eventually('all jobs to end', async () => ((await areOver()) ? true : null), 400_000);
  const jobs = async () => JSON.parse(await mars2(dataDir, path, 'jobs', 'list', '--json')) as JobView[];
  const ended = await eventually('their ends to be seen', async () => {
    const list = await jobs();
    return list.every(({ state }) => state.kind === 'exited') ? list : null;
  });
  const times = ended
    .map(({ startedAt, endedAt }) => ({ start: Date.parse(startedAt ?? ''), end: Date.parse(endedAt ?? '') }))
    .sort((a, b) => a.start - b.start);
  const delays = times.slice(1).map(({ start }, at) => (start - (times[at]?.end ?? Number.NaN)) / 1_000);
  console.log(
    `from a job's end to the next one's start: ${delays.map((delay) => delay.toFixed(2)).join(', ')} s (aim: 5)`,
  );
  console.log(`memory of the idle service: ${Math.round(idle / 1e6)} MB (aim: 150)`);
  expect(delays).toHaveLength(names.length - 1);
}, 500_000);

test('events a second through ssh, from a workbench to a client', async () => {
  const lab = await startSshd();
  const dataDir = join(await temporaryFolder(), 'data');
  await mkdir(dataDir);
  const events = new Emitter<WorkbenchEvent>();
  const close = await serveControlSocket(
    await unwrap(controlSocketOf(dataDir)),
    { events, call: async () => ({ ok: true, value: null }) },
    { kind: 'service', version: 'bench', dataDir },
  );
  onTestFinished(close);
  const command = shellWords([process.execPath, program, 'service', 'connect', '--data', dataDir]);
  const child = spawn('ssh', [...lab.sshArgs, lab.host, command], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answer = await connectControl(
    async () => Duplex.from({ readable: child.stdout, writable: child.stdin }),
    { isKept: false, limits: UNTRUSTED_LINE_LIMITS },
  );
  if (answer === null) throw new Error('nobody answers');
  const client = checkedClient(await unwrap(Promise.resolve(answer)), { name: 'lab', upgrade: 'restart it' });
  onTestFinished(client.close);
  let received = 0;
  client.events.on(() => {
    received += 1;
  });
  const COUNT = 40_000;
  const startMs = performance.now();
  for (let at = 0; at < COUNT; at++) {
    events.emit({ kind: 'terminal-output', terminalId: 'one', offset: at * 100, text: 'x'.repeat(100) });
    // As a service does, it goes on with its work between events.
    if (at % 200 === 199) await new Promise((resolve) => setImmediate(resolve));
  }
  await eventually('all events', () => received === COUNT, 120_000);
  const seconds = (performance.now() - startMs) / 1_000;
  console.log(`${Math.round(COUNT / seconds)} events a second through ssh (aim: 2,000)`);
});

test('what a machine needs that has no Node or is of another system, from the npm registry of this computer', async () => {
  const cache = await temporaryFolder();
  for (const system of KNOWN_SYSTEMS) {
    for (const wanted of Object.values(await nativePackages(system))) {
      const startMs = performance.now();
      const path = await unwrap(fetchPackage({ ...wanted, cache }, () => undefined));
      const seconds = (performance.now() - startMs) / 1_000;
      const program = path.includes('pty') ? join(path, 'pty.node') : path;
      const { size } = await stat(program);
      const about = spawnSync('file', ['-b', program], { encoding: 'utf8' }).stdout ?? '';
      console.log(
        `${wanted.name}: ${(size / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s; ${about.slice(0, 60)}`,
      );
    }
  }
});

test('memory of a service that has a study of 210,000 nodes', async () => {
  const dataDir = join(await temporaryFolder(), 'data');
  await mkdir(dataDir);
  const size = { configurations: 20, problems: 175, nodes: Number(process.env.WORKBENCH_BENCH_NODES ?? 60) };
  const write = await bundleScript(resolve('tests/bench/journal/write-study.ts'), await temporaryFolder());
  const written = spawnSync(process.execPath, [write, dataDir, JSON.stringify(size), '0'], {
    encoding: 'utf8',
  });
  expect(written.status, written.stderr).toBe(0);
  const path = process.env.PATH ?? '';
  await mars2(dataDir, path, 'service', 'start', '--temporary');
  onTestFinished(async () => void (await mars2(dataDir, path, 'service', 'stop')));
  const socket = await unwrap(controlSocketOf(dataDir));
  const answer = await connectControl(() => openSocket(socket), { isKept: false });
  if (answer === null) throw new Error('no service answers');
  const client = await unwrap(Promise.resolve(answer));
  const ask = async (name: string, payload: unknown): Promise<unknown> => {
    const value = await client.call(name, payload, 'terminal');
    if (!value.ok) throw new Error(`${name}: ${value.error.message}`);
    return value.value;
  };
  const memory = async () => Math.round(((await ask('service.info', {})) as ServiceInfo).memoryBytes / 1e6);
  const [study] = (await ask('study.list', {})) as StudyView[];
  const studyId = study?.study.id ?? '';
  const opened = await memory();
  await ask('study.outcomes', { studyId });
  await ask('study.analysis', { studyId });
  const shownMemory = await memory();
  // As somebody who looks for a tree in all runs.
  for (const { id: runId } of study?.study.runs ?? []) await ask('run.events', { runId });
  const most = await memory();
  await client.close();
  console.log(
    `memory with a study of 210,000 nodes: ${opened} MB opened, ${shownMemory} MB with its table and squares shown, ${most} MB after every run was looked at`,
  );
}, 600_000);
