import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  link,
  mkdir,
  readdir,
  readFile,
  rmdir,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { shellWord } from '../../../main/base';
import { createMachineMonitor, type Machine, type MachineMonitor } from '../../../main/machines';
import { healthyCard, nvidiaStandIn } from '../../support/nvidia-stand-in';
import { smallFleet } from '../../support/small-fleet';
import { toolBench } from '../../support/stand-in-tools';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

const run = promisify(execFile);
const ME = process.getuid?.() ?? 0;
const canBeOthers = ME === 0 && existsSync('/usr/bin/setpriv');
const NOBODY = 65_534;
const MINUTE = 60_000;
const FILE = 'reservations.json';

type Bench = {
  /** Where the folders of all users are. */
  readonly place: string;
  /** This user's own folder, which may not exist yet. */
  readonly folder: string;
  readonly folderOf: (userId: number) => string;
  /** Care of this machine as this user, or (root) as another. */
  readonly monitorAs: (userId?: number) => MachineMonitor;
  /** Moves the workbench's own clock, not the machine's. */
  readonly passMs: (ms: number) => void;
};

async function reservationBench(): Promise<Bench> {
  const bench = await toolBench();
  await nvidiaStandIn(bench, [healthyCard(0), healthyCard(1), healthyCard(2)]);
  const place = await temporaryFolder();
  // Other users must come through to it, and to the stand-in (which keeps no list of questions for them).
  for (const path of [join(bench.tools, '..'), bench.tools]) await chmod(path, 0o777);
  // As /var/tmp is where there are other users.
  await chmod(place, canBeOthers ? 0o1777 : 0o700);
  const folderOf = (userId: number) => join(place, `mars2-reservations-${userId}`);
  let now = Date.now();
  const monitorAs = (userId = ME) => {
    const machine: Machine = {
      ...bench.machine,
      run: (script, options) =>
        bench.machine.run(
          userId === ME
            ? script
            : `exec setpriv --reuid=${userId} --regid=${userId} --clear-groups sh -c ${shellWord(script)}`,
          options,
        ),
    };
    const monitor = createMachineMonitor({
      fleet: smallFleet(machine),
      clock: { now: () => now },
      reservationRoot: place,
    });
    onTestFinished(() => monitor.dispose());
    return monitor;
  };
  return {
    place,
    folder: folderOf(ME),
    folderOf,
    monitorAs,
    passMs: (ms) => {
      now += ms;
    },
  };
}

const reservationsOf = async ({ monitorAs }: Bench, userId?: number) =>
  (await unwrap(monitorAs(userId).probe('local'))).reservations;

/** What the panel and the terminal say of files that do not count. */
const leftOut = async ({ monitorAs }: Bench) =>
  (await unwrap(monitorAs().probe('local'))).reservationProblem ?? null;

const entry = (gpuId: string, minutes: number, note = '') => ({
  gpuId,
  untilSeconds: Math.round(Date.now() / 1_000) + minutes * 60,
  note,
});
const fileText = (...reservations: readonly unknown[]) => JSON.stringify({ version: 1, reservations });

describe('a reservation', () => {
  test('is seen by every workbench until it expires', async () => {
    const bench = await reservationBench();
    const monitor = bench.monitorAs();
    const view = await unwrap(monitor.reserve('local', { gpuId: 'GPU-1111', minutes: 90, note: 'ablation' }));
    expect(view.reservations).toMatchObject([{ gpuId: 'GPU-1111', note: 'ablation' }]);
    expect(view.reservations[0]?.user).toBeTruthy();
    const left = Date.parse(view.reservations[0]?.until ?? '') - Date.now();
    expect(Math.abs(left - 90 * MINUTE)).toBeLessThan(MINUTE);
    expect(await reservationsOf(bench)).toEqual(view.reservations);

    bench.passMs(91 * MINUTE);
    expect((await unwrap(monitor.view('local'))).reservations).toEqual([]);
  });

  test('of a second GPU keeps the first; a second of the same replaces it; 0 minutes take it back', async () => {
    const bench = await reservationBench();
    const monitor = bench.monitorAs();
    const reserve = (gpuId: string, minutes: number, note: string) =>
      unwrap(monitor.reserve('local', { gpuId, minutes, note }));
    await reserve('GPU-0000', 10, 'a');
    await reserve('GPU-1111', 10, 'b');
    const notes = ({ reservations }: Awaited<ReturnType<typeof reserve>>) =>
      reservations.map(({ gpuId, note }) => `${gpuId} ${note}`);
    expect(notes(await reserve('GPU-0000', 20, 'c'))).toEqual(['GPU-0000 c', 'GPU-1111 b']);
    expect(notes(await reserve('GPU-0000', 0, ''))).toEqual(['GPU-1111 b']);
    expect(notes(await reserve('GPU-1111', 0, ''))).toEqual([]);
    expect(await readdir(bench.folder)).toEqual([]);
  });

  test('two orders at the same time are both kept', async () => {
    const bench = await reservationBench();
    const monitor = bench.monitorAs();
    await Promise.all(
      ['GPU-0000', 'GPU-1111', 'GPU-2222'].map((gpuId) =>
        unwrap(monitor.reserve('local', { gpuId, minutes: 5, note: '' })),
      ),
    );
    expect(await reservationsOf(bench)).toHaveLength(3);
  });

  test('of an absent GPU is refused', async () => {
    const bench = await reservationBench();
    const answer = await bench.monitorAs().reserve('local', { gpuId: 'GPU-9', minutes: 5, note: '' });
    expect(answer).toMatchObject({ ok: false, error: { code: 'not-found' } });
  });

  test('loses control characters and marks of writing direction from its note', async () => {
    const bench = await reservationBench();
    const note = 'a\u001b[31mb\u202ec\nd';
    const view = await unwrap(bench.monitorAs().reserve('local', { gpuId: 'GPU-0000', minutes: 5, note }));
    expect(view.reservations[0]?.note).toBe('a [31mb c d');
  });

  test('with the longest notes of all GPUs of a large machine fits', async () => {
    const bench = await reservationBench();
    await mkdir(bench.folder, { mode: 0o755 });
    const entries = Array.from({ length: 64 }, (_, index) => entry(`GPU-${index}`, 60, '語'.repeat(200)));
    await writeFile(join(bench.folder, FILE), fileText(...entries));
    expect(await reservationsOf(bench)).toHaveLength(64);
  });
});

describe.skipIf(!canBeOthers)('users of one machine (needs root and setpriv, to be several users)', () => {
  test('each see all and change their own', async () => {
    const bench = await reservationBench();
    await unwrap(bench.monitorAs().reserve('local', { gpuId: 'GPU-0000', minutes: 5, note: 'mine' }));
    const other = bench.monitorAs(NOBODY);
    const view = await unwrap(other.reserve('local', { gpuId: 'GPU-0000', minutes: 5, note: 'theirs' }));
    expect(view.reservations.map(({ user, note }) => [user, note])).toEqual([
      ['nobody', 'theirs'],
      ['root', 'mine'],
    ]);
    await unwrap(other.reserve('local', { gpuId: 'GPU-0000', minutes: 0, note: '' }));
    expect(await reservationsOf(bench)).toMatchObject([{ user: 'root', note: 'mine' }]);
  });

  test('each have a folder that others can read and nobody else can write to', async () => {
    const bench = await reservationBench();
    await unwrap(bench.monitorAs(NOBODY).reserve('local', { gpuId: 'GPU-0000', minutes: 5, note: '' }));
    const folder = await stat(bench.folderOf(NOBODY));
    expect([folder.uid, folder.mode & 0o7777]).toEqual([NOBODY, 0o755]);
    const file = await stat(join(bench.folderOf(NOBODY), FILE));
    expect([file.uid, file.mode & 0o777]).toEqual([NOBODY, 0o644]);
  });

  test('ten users who reserve at the same time lose nothing', async () => {
    const bench = await reservationBench();
    const users = Array.from({ length: 10 }, (_, index) => 61_000 + index);
    const monitors = users.map((user) => ({ user, monitor: bench.monitorAs(user) }));
    // One after another, and before: ten questions at once may take nvidia-smi longer than it is given, and then no GPU is
    // known that could be reserved.
    for (const { monitor } of monitors) await unwrap(monitor.probe('local'));
    await Promise.all(
      monitors.map(({ user, monitor }) =>
        unwrap(monitor.reserve('local', { gpuId: 'GPU-0000', minutes: 5, note: String(user) })),
      ),
    );
    const seen = await reservationsOf(bench);
    expect(seen.map(({ user, note }) => [user, note])).toEqual(
      users.map((user) => [String(user), String(user)]),
    );
    for (const user of users) expect(await readdir(bench.folderOf(user))).toEqual([FILE]);
  });

  /** What another user, or a careless administrator, may have prepared for `NOBODY`. */
  const traps: Readonly<
    Record<string, { make: (bench: Bench, own: string) => Promise<unknown>; says: RegExp }>
  > = {
    'where it is belongs to another ordinary user, who may rename what is in it': {
      make: (bench) => chown(bench.place, 61_000, 61_000),
      says: /must belong to root and be sticky.*chmod 1777/,
    },
    'anybody may rename what is in it': {
      make: (bench) => chmod(bench.place, 0o777),
      says: /must belong to root and be sticky.*chmod 1777/,
    },
    'the folder belongs to another user': {
      make: async (_, own) => {
        await mkdir(own);
        await chown(own, 61_000, 61_000);
        await chmod(own, 0o777);
      },
      says: /belongs to another user. Ask its owner or an administrator to remove it: ls -ld/,
    },
    'the folder is a link to another one of the same user': {
      make: async (bench, own) => {
        await mkdir(join(bench.place, 'elsewhere'));
        await chown(join(bench.place, 'elsewhere'), NOBODY, NOBODY);
        await symlink(join(bench.place, 'elsewhere'), own);
      },
      says: /is no folder of yours/,
    },
    'others may write to the folder': {
      make: async (_, own) => {
        await mkdir(own);
        await chown(own, NOBODY, NOBODY);
        await chmod(own, 0o777);
      },
      says: /Other users may write to .*chmod go-w/,
    },
    'a folder is in the place of the file': {
      make: async (_, own) => {
        await mkdir(join(own, FILE), { recursive: true });
        await chown(own, NOBODY, NOBODY);
        await chmod(own, 0o755);
      },
      says: /is a folder\. Remove it\./,
    },
  };

  test.each(Object.entries(traps))('write nothing when %s, and are told what to do', async (_, trap) => {
    const bench = await reservationBench();
    const own = bench.folderOf(NOBODY);
    await trap.make(bench, own);
    const filesBefore = await readdir(bench.place, { recursive: true });
    const answer = await bench
      .monitorAs(NOBODY)
      .reserve('local', { gpuId: 'GPU-0000', minutes: 5, note: '' });
    expect(answer).toMatchObject({ ok: false, error: { message: expect.stringMatching(trap.says) } });
    expect(await readdir(bench.place, { recursive: true })).toEqual(filesBefore);
    expect(await reservationsOf(bench)).toEqual([]);
  });

  test('cannot reserve in the name of another: a file counts for the owner of its folder alone', async () => {
    const bench = await reservationBench();
    // A folder of one user with a file of another, and a folder that others may write to.
    for (const [owner, mode] of [
      [61_000, 0o755],
      [NOBODY, 0o777],
    ] as const) {
      const folder = bench.folderOf(owner);
      await mkdir(folder);
      await writeFile(join(folder, FILE), fileText(entry('GPU-0000', 60)));
      await chown(join(folder, FILE), NOBODY, NOBODY);
      await chown(folder, owner, owner);
      await chmod(folder, mode);
    }
    expect(await reservationsOf(bench)).toEqual([]);
    expect(await leftOut(bench)).toMatch(
      /^2 reservation files are ignored \(of nobody, user 61000\): .* ask before/,
    );
    await chmod(bench.folderOf(NOBODY), 0o755);
    expect(await reservationsOf(bench)).toMatchObject([{ gpuId: 'GPU-0000', user: 'nobody' }]);
    expect(await leftOut(bench)).toMatch(/^1 reservation file is ignored \(of user 61000\): .* ask before/);
  });
});

describe('a file of the folder is ignored', () => {
  const good = fileText(entry('GPU-0000', 60));
  const cases: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
    'when it is no JSON': (folder) => writeFile(join(folder, FILE), '{"version": 1, '),
    'when it is of another version': (folder) =>
      writeFile(join(folder, FILE), good.replace('"version":1', '"version":2')),
    'when it has more than was agreed': (folder) =>
      writeFile(join(folder, FILE), good.replace('"note"', '"user":"boss","note"')),
    'when it is too large': (folder) => writeFile(join(folder, FILE), `${' '.repeat(70_000)}${good}`),
    'when it has another name': (folder) => writeFile(join(folder, `${ME}.json`), good),
    'when its folder has the number of another user': async (folder) => {
      await rmdir(folder);
      await mkdir(`${folder}1`, { mode: 0o755 });
      await writeFile(join(`${folder}1`, FILE), good);
    },
    'when it is a pipe that nobody writes to': (folder) => run('mkfifo', [join(folder, FILE)]),
    'when it is a link': async (folder) => {
      await writeFile(join(folder, 'elsewhere'), good);
      await symlink(join(folder, 'elsewhere'), join(folder, FILE));
    },
    'when it has a second name': async (folder) => {
      await writeFile(join(folder, 'elsewhere'), good);
      await link(join(folder, 'elsewhere'), join(folder, FILE));
    },
    'when its times have run out': (folder) => writeFile(join(folder, FILE), fileText(entry('GPU-0000', -1))),
    'when it reserves for ever': (folder) =>
      writeFile(join(folder, FILE), fileText(entry('GPU-0000', 60 * 24 * 400))),
  };

  /** Another name and a time that is over are what anybody may have there. */
  const isOrdinary = /another name|have run out/;

  test.each(Object.entries(cases))('%s', async (name, make) => {
    const bench = await reservationBench();
    await mkdir(bench.folder, { mode: 0o755 });
    await make(bench.folder);
    const { reservations, reservationProblem: said } = await unwrap(bench.monitorAs().probe('local'));
    expect(reservations).toEqual([]);
    if (isOrdinary.test(name)) expect(said).toBeUndefined();
    else
      expect(said).toMatch(
        /^1 reservation file is ignored \(of [^)]+\): damaged, written by another version/,
      );
  });

  test('and a valid one next to it is read', async () => {
    const bench = await reservationBench();
    await mkdir(bench.folder, { mode: 0o755 });
    await writeFile(join(bench.folder, '0000.json'), 'x');
    await writeFile(join(bench.folder, FILE), good);
    expect(await reservationsOf(bench)).toHaveLength(1);
  });
});

test('a folder that is a link to elsewhere is neither read nor written', async () => {
  const bench = await reservationBench();
  const elsewhere = await temporaryFolder();
  await writeFile(join(elsewhere, FILE), fileText(entry('GPU-0000', 60)));
  await symlink(elsewhere, bench.folder);
  const monitor = bench.monitorAs();
  expect((await unwrap(monitor.probe('local'))).reservations).toEqual([]);
  const answer = await monitor.reserve('local', { gpuId: 'GPU-0000', minutes: 5, note: '' });
  expect(answer).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('is no folder of yours') },
  });
  expect(await readFile(join(elsewhere, FILE), 'utf8')).not.toContain('"note":""}]}\n');
});

test('files that are older than any reservation are removed with the next one', async () => {
  const bench = await reservationBench();
  await mkdir(bench.folder, { mode: 0o755 });
  const old = new Date(Date.now() - 40 * 86_400_000);
  for (const name of ['.4711.draft', 'left-over']) {
    await writeFile(join(bench.folder, name), 'x');
    await utimes(join(bench.folder, name), old, old);
  }
  await writeFile(join(bench.folder, '.4712.draft'), 'x');
  await unwrap(bench.monitorAs().reserve('local', { gpuId: 'GPU-0000', minutes: 5, note: '' }));
  expect((await readdir(bench.folder)).sort()).toEqual(['.4712.draft', FILE]);
});
