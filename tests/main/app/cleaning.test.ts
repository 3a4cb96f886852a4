import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { cleanMachine, machineRoom } from '../../../main/app/cleaning/clean-machines';
import { planMachineRoom } from '../../../main/app/cleaning/room-plan';
import { hasEnded } from '../../../main/jobs';
import { parseRoom } from '../../../main/machines/logic/clean-scripts';
import type { JobView } from '../../../preload/contract';
import { openFleet, sshSpec } from '../../support/fleet-bench';
import { openJobsOver } from '../../support/job-bench';
import { hasSshdAccounts, startSshd } from '../../support/sshd';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

test('programs of a background service stand for each other whatever their version; a runtime of ours is left alone', () => {
  const lines = [
    'workbench-0.0.9-0123456789ab',
    'workbench-0.1.0-1123456789ab',
    'learner-0123456789abcdef',
    'node-22.1.0',
  ];
  const { tools } = parseRoom(lines.map((name) => `tool ${name} 10 1700000000 free`).join('\n'));
  expect(tools.map(({ kind }) => kind)).toEqual(['workbench', 'workbench', 'learner']);
});

const DAY_MS = 86_400_000;
const OLD = 'model-server-0123456789abcdef.mjs';
const USED = 'model-server-1123456789abcdef.mjs';
const NAMED = 'model-server-2123456789abcdef.mjs';
const NEWEST = 'model-server-3123456789abcdef.mjs';

/** A real machine behind a real sshd, as it looks to the workbench some days later. */
async function openLab(days: number) {
  const sshd = await startSshd();
  onTestFinished(() => sshd.stop());
  const folder = await temporaryFolder();
  const { fleet } = await openFleet(sshd.sshArgs, [sshSpec(sshd)]);
  const jobs = await openJobsOver(fleet, folder);
  onTestFinished(async () => {
    for (const { id, view } of jobs.list()) if (!hasEnded(view.state)) await jobs.stop(id, 0);
    await jobs.dispose();
  });
  const home = join(sshd.home, '.mars2-workbench');
  const machine = await unwrap(fleet.get('lab'));
  const run = async (script: string) => void (await unwrap(machine.run(script)));
  const launch = async (name: string, line: string) => {
    const spec = { machineId: 'lab', name, purpose: 'command', command: { kind: 'line', line } } as const;
    return (await unwrap(jobs.launch(spec))).id;
  };
  const ended = (id: string) =>
    vi.waitFor(
      async () => {
        jobs.probeSoon();
        expect((await unwrap(jobs.view(id))).state.kind).toBe('exited');
      },
      { timeout: 120_000, interval: 100 },
    );
  const deps = { fleet, jobs, clock: { now: () => Date.now() + days * DAY_MS } };
  return { sshd, fleet, jobs, home, machine, run, launch, ended, deps };
}

const paths = (items: readonly { readonly path: string }[]) => items.map(({ path }) => path).sort();

describe.skipIf(!hasSshdAccounts)('a clean-up of a machine', () => {
  test('removes older programs that nothing uses and folders of old jobs, whose logs stay here', async () => {
    const { jobs, home, run, launch, ended, deps } = await openLab(40);
    const id = await launch('old one', 'echo what it said');
    await ended(id);
    await run('mkdir -p ~/.mars2-workbench/tools');
    // Of each the time of its upload, the newest last.
    for (const [at, name] of [OLD, USED, NEWEST].entries())
      await run(
        `echo ${at} > ~/.mars2-workbench/tools/${name}; touch -d '2026-01-0${at + 1}' ~/.mars2-workbench/tools/${name}`,
      );
    const user = await launch('uses one', `sleep 600 # tools/${USED}`);
    const { items, kept } = await unwrap(machineRoom('lab', deps));
    expect(paths(items)).toEqual([`jobs/${id}`, `tools/${OLD}`].sort());
    expect(items.every(({ bytes }) => bytes > 0)).toBe(true);
    expect(kept.join(' ')).toMatch(/1 older upload stays/);
    // A preview changes nothing.
    expect((await readdir(join(home, 'tools'))).sort()).toEqual([OLD, USED, NEWEST]);
    const cleaned = await unwrap(
      cleanMachine('lab', [...items.map((item) => item.id), `tools ${USED}`], deps),
    );
    expect(cleaned).toMatchObject({ removed: 2, problems: [expect.stringMatching(/^1 of what was shown/)] });
    expect((await readdir(join(home, 'tools'))).sort()).toEqual([USED, NEWEST]);
    expect(await readdir(join(home, 'jobs'))).toEqual([user]);
    const log = await unwrap(jobs.readLogOrCopy(id, 'output', 0, 1_000));
    expect(log).toMatchObject({ text: 'what it said\n', copy: { hasEnd: true } });
    expect((await unwrap(machineRoom('lab', deps))).items).toEqual([]);
  });

  test('touches nothing of others: links, odd names, folders of jobs that are not listed, young jobs', async () => {
    const { sshd, home, run, launch, ended, deps } = await openLab(0);
    const young = await launch('young', 'echo young');
    await ended(young);
    const precious = join(sshd.home, 'precious');
    await run('mkdir -p ~/precious ~/.mars2-workbench/tools ~/.mars2-workbench/jobs/somebody-elses');
    await run('echo dear > ~/precious/data');
    await mkdir(join(home, 'tools', 'my own notes'));
    await writeFile(join(home, 'tools', 'unknown-program'), 'x');
    await symlink(precious, join(home, 'tools', 'learner-0123456789abcdef'));
    await run('mkdir ~/.mars2-workbench/tools/learner-1123456789abcdef');
    // Another workbench's job, which waits in a queue or runs on another node.
    await run(
      `cd ~/.mars2-workbench; echo "node tools/${OLD}" > jobs/somebody-elses/command.sh; echo > tools/${OLD}`,
    );
    await run(`sleep 1.1; echo > ~/.mars2-workbench/tools/${NEWEST}`);
    expect((await unwrap(machineRoom('lab', deps))).items).toEqual([]);
    const asked = [
      'tools learner-0123456789abcdef',
      'jobs somebody-elses',
      'jobs ../../precious',
      `jobs ${young}`,
    ];
    expect(await unwrap(cleanMachine('lab', asked, deps))).toMatchObject({ removed: 0 });
    expect(await readdir(precious)).toEqual(['data']);
    expect((await readdir(join(home, 'tools'))).length).toBe(6);
    expect((await readdir(join(home, 'jobs'))).sort()).toEqual(['somebody-elses', young].sort());
  });

  test('does not follow a link in the place of a folder of ours', async () => {
    const { sshd, run, machine, deps } = await openLab(40);
    await unwrap(machine.home());
    await run('mkdir -p ~/elsewhere/learner-0123456789abcdef ~/elsewhere/learner-1123456789abcdef');
    await run('ln -s ~/elsewhere ~/.mars2-workbench/tools');
    expect((await unwrap(machineRoom('lab', deps))).items).toEqual([]);
    expect(await readdir(join(sshd.home, 'elsewhere'))).toHaveLength(2);
  });

  test('leaves a folder whose log cannot be copied first', async () => {
    const { jobs, home, launch, ended, deps } = await openLab(40);
    const id = await launch('mute', 'echo some');
    await ended(id);
    const stubborn = {
      ...deps,
      jobs: { ...jobs, logCopies: { ...jobs.logCopies, keep: async () => false } },
    };
    const cleaned = await unwrap(cleanMachine('lab', [`jobs ${id}`], stubborn));
    expect(cleaned).toMatchObject({
      removed: 0,
      problems: ['The folder of "mute" stays: its log could not be copied to this computer first.'],
    });
    expect(await readdir(join(home, 'jobs'))).toEqual([id]);
  });
});

test('a program that a job may be started again with stays', () => {
  const tool = (name: string, modifiedS: number) => ({
    name,
    kind: 'model-server',
    kib: 4,
    modifiedS,
    isUsed: false,
  });
  const room = { tools: [tool(OLD, 1), tool(NAMED, 2), tool(NEWEST, 3)], jobs: new Map() };
  const job = (code: number): JobView =>
    ({
      machineId: 'lab',
      state: { kind: 'exited', code, endedAt: '2026-01-01T00:00:00.000Z' },
      commandLine: `node tools/${NAMED}`,
      setUp: '',
    }) as JobView;
  const plan = (code: number) => planMachineRoom(room, [job(code)], { machineId: 'lab', nowMs: 0 }).items;
  expect(paths(plan(1))).toEqual([`tools/${OLD}`]);
  expect(paths(plan(0))).toEqual([`tools/${OLD}`, `tools/${NAMED}`]);
});
