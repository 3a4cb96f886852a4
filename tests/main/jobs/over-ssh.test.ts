import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { randomStream } from '../../../main/base';
import { hasEnded, type JobService } from '../../../main/jobs';
import type { JobState } from '../../../preload/contract';
import { eventually } from '../../support/eventually';
import { openFleet, sshSpec } from '../../support/fleet-bench';
import { openJobsOver } from '../../support/job-bench';
import { hasSshdAccounts, type Sshd, type SshdOptions, startSshd } from '../../support/sshd';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

type Lab = {
  readonly sshd: Sshd;
  /** The job service of the app as it is now. */
  readonly jobs: () => JobService;
  /** As after a start of the app: a new service and new connections. */
  readonly restart: () => Promise<void>;
  readonly launch: (script: string) => Promise<string>;
  readonly until: (id: string, kind: JobState['kind']) => Promise<JobState>;
  readonly outputOf: (id: string) => string;
};

/** A real machine behind a real sshd; what runs there is ended with the test. */
async function openLab(options: SshdOptions = {}, logLimitBytes?: number): Promise<Lab> {
  const sshd = await startSshd(options);
  onTestFinished(() => sshd.stop());
  const folder = await temporaryFolder();
  const open = async () => {
    const { fleet } = await openFleet(sshd.sshArgs, [sshSpec(sshd)]);
    const jobs = await openJobsOver(fleet, folder, logLimitBytes);
    return { fleet, jobs };
  };
  let app = await open();
  const close = async () => {
    await app.jobs.dispose();
    await app.fleet.dispose();
  };
  onTestFinished(async () => {
    await sshd.thaw();
    for (const { id, view } of app.jobs.list()) if (!hasEnded(view.state)) await app.jobs.stop(id, 0);
    await close();
  });
  return {
    sshd,
    jobs: () => app.jobs,
    restart: async () => {
      await close();
      app = await open();
    },
    launch: async (script) => {
      const command = { kind: 'line', line: script } as const;
      const spec = { machineId: 'lab', name: 'a job', purpose: 'command', command };
      return (await unwrap(app.jobs.launch(spec))).id;
    },
    until: (id, kind) =>
      eventually(
        `the job to be ${kind}`,
        async () => {
          const view = await unwrap(app.jobs.view(id));
          if (view.state.kind === kind) return view.state;
          app.jobs.probeSoon();
          await sleep(100);
          return null;
        },
        40_000,
      ),
    outputOf: (id) => join(sshd.home, '.mars2-workbench', 'jobs', id, 'output.log'),
  };
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Eight connections are made one after the other; a busy machine takes its time. */
const timeout = 180_000;

describe.skipIf(!hasSshdAccounts)('jobs of a machine behind ssh (needs root and sshd)', { timeout }, () => {
  test('run there, outlive every connection, and report how they ended', async () => {
    const lab = await openLab();
    const id = await lab.launch('echo "in $PWD"; until [ -e go ]; do sleep 0.1; done; echo é; exit 5');
    expect((await unwrap(lab.jobs().view(id))).state).toMatchObject({ kind: 'running' });
    await lab.restart();
    await lab.sshd.killSessions();
    expect(lab.jobs().views()).toHaveLength(1);
    await writeFile(join(lab.outputOf(id), '..', 'go'), '');
    expect(await lab.until(id, 'exited')).toMatchObject({ code: 5 });
    const { text } = await unwrap(lab.jobs().readLog(id, 'output', 0, 10_000));
    expect(text).toBe(`in ${join(lab.outputOf(id), '..')}\né\n`);
    const origin = await unwrap(lab.jobs().provenance(id));
    expect(origin).toMatchObject({ attempt: 1, host: hostname() });
    // Its copy here is as good as the machine's own.
    await writeFile(join(lab.outputOf(id), '..', 'attempt-1', 'provenance.txt'), '');
    expect(await unwrap(lab.jobs().provenance(id))).toEqual(origin);
    await unwrap(lab.jobs().remove(id));
    await expect(readFile(lab.outputOf(id))).rejects.toThrow('ENOENT');
  });

  test('are unknown while it hangs, and run on when it answers again', async () => {
    const lab = await openLab();
    const id = await lab.launch('sleep 1000');
    await lab.sshd.freeze();
    expect(await lab.until(id, 'unknown')).toMatchObject({ last: 'running' });
    await lab.sshd.thaw();
    await lab.until(id, 'running');
    await unwrap(lab.jobs().stop(id, 1_000));
  });

  test('are lost when it was restarted', async () => {
    const folder = await temporaryFolder();
    const bootId = join(folder, 'boot-id');
    await writeFile(bootId, 'first\n');
    const lab = await openLab({ serverLines: [`SetEnv "MARS2_BOOT_ID_FILE=${bootId}"`] });
    const id = await lab.launch('sleep 1000');
    const { state } = await unwrap(lab.jobs().view(id));
    if (state.kind !== 'running' || state.pid === null) throw new Error(state.kind);
    await lab.sshd.down();
    process.kill(-state.pid, 'SIGKILL');
    await writeFile(bootId, 'second\n');
    expect(await lab.until(id, 'unknown')).toMatchObject({ last: 'running' });
    await lab.sshd.up();
    expect(await lab.until(id, 'lost')).toMatchObject({ why: 'The machine was restarted since.' });
  });

  test('start once however often the connection is cut while they start', async () => {
    const lab = await openLab();
    const random = randomStream('cuts of starts', 1);
    for (let round = 0; round < 8; round++) {
      const cutting = sleep(random.integer(400)).then(() => lab.sshd.killSessions());
      const witness = `witness-${round}`;
      const id = await lab.launch(`echo once >> ../../${witness}; sleep 0.1`);
      await cutting;
      expect(await lab.until(id, 'exited')).toMatchObject({ code: 0 });
      const text = await readFile(join(lab.sshd.home, '.mars2-workbench', witness), 'utf8');
      expect(text).toBe('once\n');
    }
  });

  test('end however the connection is cut while they are stopped', async () => {
    const lab = await openLab();
    const random = randomStream('cuts of stops', 1);
    for (let round = 0; round < 5; round++) {
      const id = await lab.launch('trap "" TERM; echo deaf; while :; do sleep 0.1; done');
      await eventually('its output', async () => {
        const piece = await lab.jobs().readLog(id, 'output', 0, 100);
        return piece.ok && piece.value.text === 'deaf\n';
      });
      const cutting = sleep(random.integer(800)).then(() => lab.sshd.killSessions());
      await lab.jobs().stop(id, 300);
      await cutting;
      await lab.until(id, 'exited');
    }
  });

  test('write 30 MB that are followed over ten cuts of connection and app without losing a byte', async () => {
    const lab = await openLab();
    const id = await lab.launch(`awk 'BEGIN { for (i = 1; i <= 300000; i++) printf "%096d é\\n", i }'`);
    const random = randomStream('cuts of a log', 1);
    const hash = createHash('sha256');
    let [offset, cuts] = [0, 0];
    for (;;) {
      const isOver = hasEnded((await unwrap(lab.jobs().view(id))).state);
      const reading = lab.jobs().readLog(id, 'output', offset, 1_048_573);
      if (cuts < 10 && offset > (cuts + 1) * 2_500_000) {
        cuts += 1;
        await sleep(random.integer(30));
        await lab.sshd.killSessions();
        if (cuts % 2 === 0) await lab.restart();
      }
      const piece = await reading;
      if (!piece.ok) {
        expect(piece.error.code).toBe('unreachable');
        await sleep(50);
        continue;
      }
      hash.update(piece.value.text);
      offset = piece.value.nextOffset;
      if (isOver && offset === piece.value.size) break;
      if (piece.value.text === '') await lab.jobs().inspect(id);
    }
    expect([cuts, offset]).toEqual([10, 30_000_000]);
    expect(hash.digest('hex')).toBe(await digestOf(lab.outputOf(id)));
  });

  test('have logs that are searched there and saved here over a cut', async () => {
    const lab = await openLab();
    const id = await lab.launch(`awk 'BEGIN { for (i = 1; i <= 150000; i++) printf "%098d\\n", i }'`);
    await lab.until(id, 'exited');
    const never = new AbortController().signal;
    const query = { text: '0149999', offset: 0, limit: 10 };
    const found = await unwrap(lab.jobs().searchLog(id, 'output', query, () => undefined, never));
    expect(found.matches.map(({ line, offset }) => [line, offset])).toEqual([[149_999, 14_849_802]]);
    const target = join(await temporaryFolder(), 'saved.log');
    let isCut = false;
    const report = (done: number) => {
      if (isCut || done < 6_000_000) return;
      isCut = true;
      void lab.sshd.killSessions();
    };
    await unwrap(lab.jobs().saveLog(id, 'output', target, report, never));
    expect(isCut).toBe(true);
    expect(await digestOf(target)).toBe(await digestOf(lab.outputOf(id)));
  });

  test('have logs with a limit, which are read around what it left out', async () => {
    const lab = await openLab({}, 400_000);
    const id = await lab.launch(`awk 'BEGIN { for (i = 1; i <= 30000; i++) printf "%099d\\n", i }'`);
    await lab.until(id, 'exited');
    const leftOut = (await unwrap(lab.jobs().view(id))).logLeftOut;
    if (leftOut === undefined) throw new Error('nothing was left out');
    const read = (offset: number) => lab.jobs().readLog(id, 'output', offset, 100);
    const first = leftOut.to / 100 + 1;
    expect(await unwrap(read(leftOut.from))).toMatchObject({
      start: leftOut.to,
      text: `${String(first).padStart(99, '0')}\n`,
      leftOut,
      size: 3_000_000,
    });
    const never = new AbortController().signal;
    const query = { text: String(first), offset: 0, limit: 10 };
    const found = await unwrap(lab.jobs().searchLog(id, 'output', query, () => undefined, never));
    expect(found.matches.map(({ line, offset }) => [line, offset])).toEqual([[first, leftOut.to]]);
  });
});
