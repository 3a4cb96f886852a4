import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { shellWord } from '../../../main/base';
import { openFleet, sshSpec } from '../../support/fleet-bench';
import { freshMonitor } from '../../support/fresh-monitor';
import { healthyCard, nvidiaStandIn } from '../../support/nvidia-stand-in';
import { hasSshdAccounts, type Sshd, startSshd } from '../../support/sshd';
import { toolBench } from '../../support/stand-in-tools';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

const ALICE = { name: 'alice', id: 61_001 };
const MALLORY = { name: 'mallory', id: 61_002 };
const LOOKS = 10;
const NAMES_A_LOOK = 1_000;
/** Of the names of a look: so many name files, so many processes; the others processes on a GPU. */
const FILES = 400;
const PROCESSES = 10;

/** Runs `forge`, a program on everybody's path that leaves a trace, wherever a shell reads it as code. */
const hostileName = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '$(forge)',
        '`forge`',
        "'; forge; '",
        '"; forge; "',
        '\nforge\n',
        '| forge',
        '&& forge',
      ),
      fc.constantFrom(
        "'",
        '"',
        '\\',
        '\n',
        '\r',
        '\t',
        ' ',
        '-',
        '--',
        '%s',
        '*',
        '~',
        '$',
        '#',
        ';',
        '\u202e',
      ),
      fc.constantFrom('\u001b[2J', '\u001b]0;forged\u0007', '-oProxyCommand=forge', 'é', '語'),
      fc.constantFrom('\n@ facts 0\n|hostname=forged', '\n@ nvidia.query 0 index,uuid', '\n@ end 0\n', '\n|'),
      fc.constantFrom('\nGPU-0000, 1, 80000', '\n1 root 00:01 forged', 'mars2-reservations-0', '"}]}'),
      fc.string({ maxLength: 4 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join('').replaceAll('\0', ''))
  .filter((name) => name !== '');

describe.skipIf(!hasSshdAccounts)('two ordinary users of one machine (needs root and openssh-server)', () => {
  /** Runs a script as the other user, logged in by ssh; gives what it printed. */
  async function asMallory(sshd: Sshd, script: string, input: string | Buffer = ''): Promise<string> {
    const ssh = spawn('ssh', [...sshd.sshArgs, '-T', '-l', MALLORY.name, sshd.host, script], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let printed = '';
    ssh.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    ssh.stdin.end(input);
    await once(ssh, 'close');
    return printed;
  }

  async function lab() {
    const bench = await toolBench();
    const place = await temporaryFolder();
    for (const path of [dirname(bench.tools), bench.tools]) await chmod(path, 0o777);
    await chmod(place, 0o1777);
    const trace = join(bench.tools, 'forged');
    await bench.standIn('forge', `: >'${trace}'`);
    await nvidiaStandIn(bench, [healthyCard(0), healthyCard(1)]);
    const sshd = await startSshd({
      users: [ALICE, MALLORY],
      serverLines: [`SetEnv "PATH=${bench.tools}:/usr/bin:/bin"`],
    });
    onTestFinished(sshd.stop);
    const { fleet } = await openFleet(sshd.sshArgs, [sshSpec(sshd)]);
    const { monitor, look: lookOn } = freshMonitor(fleet, place);
    const look = () => lookOn('lab');
    return { bench, place, trace, sshd, fleet, monitor, look };
  }

  test('what one names files and processes is never code for the other, and moves no field', async () => {
    const { bench, place, trace, sshd, monitor, look } = await lab();
    const clean = await look();
    expect(clean.facts?.user).toBe(ALICE.name);
    const folder = join(place, `mars2-reservations-${MALLORY.id}`);
    const [placeWord, folderWord] = [shellWord(place), shellWord(folder)];
    for (let number = 0; number < LOOKS; number += 1) {
      const names = fc.sample(hostileName, { numRuns: NAMES_A_LOOK, seed: number });
      const fileNames = names
        .slice(0, FILES)
        .map((name) => Buffer.from(name.replaceAll('/', '|')).subarray(0, 250));
      await asMallory(
        sshd,
        `mkdir -p ${folderWord}; cd ${placeWord}; tee ${folderWord}/names | xargs -0 touch --; cd ${folderWord}; xargs -0 touch -- <names`,
        Buffer.concat(fileNames.flatMap((name) => [Buffer.from('./'), name, Buffer.of(0)])),
      );
      const pids = (
        await asMallory(
          sshd,
          `xargs -0 -n 1 sh -c 'sh -c "sleep 300; :" "$1" >/dev/null 2>&1 & echo $!' sh`,
          names.slice(FILES, FILES + PROCESSES).join('\0'),
        )
      )
        .trim()
        .split('\n')
        .map(Number);
      onTestFinished(() => {
        for (const pid of pids) process.kill(pid, 'SIGKILL');
      });
      // As nvidia-smi would list them: a name with a line feed begins another line.
      const apps = names
        .slice(FILES)
        .map(
          (name, at) => `GPU-0000, ${pids[at] ?? 4_000_000 + at}, 1, ${name.replaceAll('\n', '\u0001')}\n`,
        );
      await writeFile(join(bench.tools, 'apps'), apps.join(''));
      const notes = names.slice(-64).map((name, at) => ({
        gpuId: `GPU-${at % 2}`,
        untilSeconds: Math.round(Date.now() / 1_000) + 3_600,
        note: name.slice(0, 100),
      }));
      const isValid = number % 2 === 0;
      await asMallory(
        sshd,
        `cat >${folderWord}/reservations.json`,
        isValid ? JSON.stringify({ version: 1, reservations: notes }) : names.join('\n'),
      );

      const seen = await look();
      expect(existsSync(trace)).toBe(false);
      expect(seen.facts).toEqual({ ...clean.facts, diskFreeMib: seen.facts?.diskFreeMib });
      const [first, ...others] = seen.gpus?.gpus ?? [];
      const [cleanFirst, ...cleanOthers] = clean.gpus?.gpus ?? [];
      expect([{ ...first, processes: [] }, ...others]).toEqual([cleanFirst, ...cleanOthers]);
      expect(seen.gpus?.problems).toEqual(clean.gpus?.problems);
      expect(first?.processes.map(({ pid }) => pid)).toEqual(
        names.slice(FILES).map((_, at) => pids[at] ?? 4_000_000 + at),
      );
      expect(first?.processes.map(({ user }) => user)).toEqual(
        names.slice(FILES).map((_, at) => (at < PROCESSES ? MALLORY.name : null)),
      );
      expect(seen.reservations).toHaveLength(isValid ? notes.length : 0);
      for (const { user, gpuId, note } of seen.reservations) {
        expect([user, note]).toEqual([MALLORY.name, note.replace(/[\p{Cc}\p{Cf}]/gu, '')]);
        expect(gpuId).toMatch(/^GPU-[01]$/);
      }
    }
    // Among all that, the first user's own reservation is made and seen as theirs.
    const own = await unwrap(monitor.reserve('lab', { gpuId: 'GPU-0000', minutes: 5, note: 'mine' }));
    expect(own.reservations.filter(({ user }) => user === ALICE.name)).toMatchObject([{ note: 'mine' }]);
    expect(existsSync(trace)).toBe(false);
  }, 600_000);

  test('what one runs, the other cannot read, neither in arguments nor in environments', async () => {
    const { sshd, fleet } = await lab();
    const machine = await unwrap(Promise.resolve(fleet.get('lab')));
    const running = machine.run('echo begun >&2; read -r line; sleep 20; : planted-word', {
      stdin: 'planted-word\n',
    });
    const [seen] = await Promise.all([
      asMallory(
        sshd,
        String.raw`sleep 5; all=$(cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr '\0' ' ')
case $all in *'sleep 20 '*) echo running ;; esac
case $all in *planted'-'word*) echo readable ;; *) echo hidden ;; esac`,
      ),
      running,
    ]);
    expect(seen).toBe('running\nhidden\n');
  }, 120_000);
});
