import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { shellWord } from '../../../main/base';
import { survey } from '../../../main/jobs/slurm/survey';
import type { Machine } from '../../../main/machines';
import { eventually } from '../../support/eventually';
import { openFleet, sshSpec } from '../../support/fleet-bench';
import { freshMonitor } from '../../support/fresh-monitor';
import { healthyCard, nvidiaStandIn } from '../../support/nvidia-stand-in';
import { hasSshdAccounts, type Sshd, startSshd } from '../../support/sshd';
import { toolBench } from '../../support/stand-in-tools';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

const ALICE = { name: 'alice', id: 61_001 };
const MALLORY = { name: 'mallory', id: 61_002 };
const LOOKS = 6;
const NAMES_A_LOOK = 1_000;
/** Of the names of a look: so many name files, so many processes; the others processes on a GPU or on a slice of one. */
const FILES = 400;
const PROCESSES = 10;
const ON_SLICE = 100;
const SLICE = 'MIG-5c89852c-d268-5bcb-9f45-6e1d5d0a1b2c';
const DAY_S = 86_400;
/** Facts are read anew by every look. */
const STEP_MS = 700_000;

const shown = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();

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

/** What `nvidia-smi -L` says of two cards, the second one with slices. */
const sliceList = (...profiles: readonly string[]): string =>
  [
    'GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-0000)',
    'GPU 1: NVIDIA A100-SXM4-80GB (UUID: GPU-1111)',
    ...profiles.map(
      (profile, at) => `  MIG ${profile}     Device  ${at}: (UUID: ${at === 0 ? SLICE : `${SLICE}-planted`})`,
    ),
    '',
  ].join('\n');

/** What `nvidia-smi -q -x` says of the first slice, and of processes with these names on it. */
const sliceUsage = (names: readonly string[]): string => `<nvidia_smi_log><gpu id="0"><uuid>GPU-1111</uuid>
<mig_devices><mig_device><index>0</index><gpu_instance_id>7</gpu_instance_id><compute_instance_id>0</compute_instance_id>
</mig_device></mig_devices><processes>${names
  .map(
    (name, at) =>
      `<process_info><gpu_instance_id>7</gpu_instance_id><compute_instance_id>0</compute_instance_id><pid>${5_000 + at}</pid><process_name>${name}</process_name><used_memory>1 MiB</used_memory></process_info>`,
  )
  .join('')}</processes></gpu></nvidia_smi_log>`;

/** Writes the rows of files row.*, each behind what the question begins its rows with. */
const SQUEUE = `for word; do case $word in --format=*) mark=\${word#--format=}; mark=\${mark%%|*} ;; esac; done
for row in "\${0%/*}"/row.*; do printf '%s|' "$mark"; cat "$row"; echo; done`;

/** Jobs that share our account in Slurm, under hostile names, between two of ours. */
async function jobNamesMoveNothing(tools: string, machine: Machine): Promise<void> {
  const names = [
    ...fc.sample(hostileName, { numRuns: 200, seed: 1 }),
    'x\n@notes\nnote\nscript\n@probe\n',
    'x\n8|FAILED|None|n/a|N/A|UNLIMITED|ours',
    'x\n|8|FAILED|None|n/a|N/A|UNLIMITED|ours',
  ];
  const rows = ['7|RUNNING|None|node1|N/A|UNLIMITED|ours', '8|PENDING|Priority|n/a|N/A|UNLIMITED|ours'];
  await Promise.all([
    ...rows.map((row, at) => writeFile(join(tools, `row.${at * 800_000 + 100_000}`), row)),
    ...names.map((name, at) =>
      writeFile(join(tools, `row.${200_000 + at}`), `${1_000 + at}|RUNNING|None|node1|N/A|UNLIMITED|${name}`),
    ),
  ]);
  const { queue, notes } = await unwrap(survey(machine, [{ folder: '/nowhere', attempt: 1 }]));
  expect(notes).toHaveLength(1);
  expect(queue?.map(({ id, state }) => `${id} ${state}`)).toEqual([
    '7 RUNNING',
    ...names.map((_, at) => `${1_000 + at} RUNNING`),
    '8 PENDING',
  ]);
  expect(queue?.map(({ name }) => name).filter((name) => /\n/.test(name))).toEqual([]);
}

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
    await nvidiaStandIn(bench, [healthyCard(0), healthyCard(1, { 'mig.mode.current': 'Enabled' })]);
    // Whoever runs a machine, or a container of it, names it.
    await bench.standIn('hostname', `cat "${bench.tools}/hostname.txt"`);
    await writeFile(join(bench.tools, 'hostname.txt'), 'gpu-box\n');
    await bench.standIn('squeue', SQUEUE);
    await writeFile(join(bench.tools, 'list'), sliceList('1g.10gb'));
    const sshd = await startSshd({
      users: [ALICE, MALLORY],
      serverLines: [`SetEnv "PATH=${bench.tools}:/usr/bin:/bin"`],
    });
    onTestFinished(sshd.stop);
    const { fleet } = await openFleet(sshd.sshArgs, [sshSpec(sshd)]);
    const { monitor, look: probeOn } = freshMonitor(fleet, place, STEP_MS);
    const look = () => probeOn('lab');
    return { bench, place, trace, sshd, fleet, monitor, look };
  }

  test('what one names files and processes is never code for the other, and moves no field', async () => {
    const { bench, place, trace, sshd, fleet, monitor, look } = await lab();
    const clean = await look();
    expect(clean.facts?.user).toBe(ALICE.name);
    const folder = join(place, `mars2-reservations-${MALLORY.id}`);
    const [rootWord, folderWord] = [shellWord(place), shellWord(folder)];
    for (let number = 0; number < LOOKS; number += 1) {
      const names = fc.sample(hostileName, { numRuns: NAMES_A_LOOK, seed: number });
      const fileNames = names
        .slice(0, FILES)
        .map((name) => Buffer.from(name.replaceAll('/', '|')).subarray(0, 250));
      await asMallory(
        sshd,
        `mkdir -p ${folderWord}; cd ${rootWord}; tee ${folderWord}/names | xargs -0 touch --; cd ${folderWord}; xargs -0 touch -- <names`,
        Buffer.concat(fileNames.flatMap((name) => [Buffer.from('./'), name, Buffer.of(0)])),
      );
      const hostname = names[0] ?? '';
      await writeFile(join(bench.tools, 'hostname.txt'), `${hostname}\n`);
      // The driver writes one line for a slice.
      const profile = (names[1] ?? '').replaceAll('\n', '\r');
      await writeFile(join(bench.tools, 'list'), sliceList('1g.10gb', profile));
      await writeFile(join(bench.tools, 'xml'), sliceUsage(names.slice(0, 20)));
      const pids = (
        await asMallory(
          sshd,
          `xargs -0 -n 1 sh -c 'PLANTED="$1" sh -c "sleep 300; :" "$1" >/dev/null 2>&1 & echo $!' sh`,
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
          (name, at) =>
            `${at < names.length - FILES - ON_SLICE ? 'GPU-0000' : SLICE}, ${pids[at] ?? 4_000_000 + at}, 1, ${name.replaceAll('\n', '\u0001')}\n`,
        );
      await writeFile(join(bench.tools, 'apps'), apps.join(''));
      const notes = names.slice(-64).map((name, at) => ({
        gpuId: `GPU-${at % 2}`,
        untilSeconds: Math.round(Date.now() / 1_000) + DAY_S,
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
      const called = shown(hostname.split('\n')[0] ?? '');
      expect(seen.facts).toEqual({ ...clean.facts, hostname: called, diskFreeMib: seen.facts?.diskFreeMib });
      // A profile without blanks is a name, shown without control characters; any other is no slice.
      const [first, second, slice, ...planted] = seen.gpus?.gpus ?? [];
      expect([first, second, slice].map((gpu) => ({ ...gpu, processes: [] }))).toEqual(clean.gpus?.gpus);
      for (const { id, name } of planted) {
        expect(id).toBe(`${SLICE}-planted`);
        expect(name).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }
      expect(seen.gpus?.problems).toEqual(clean.gpus?.problems);
      const processes = [...(first?.processes ?? []), ...(slice?.processes ?? [])];
      expect(slice?.processes).toHaveLength(ON_SLICE);
      expect(processes.map(({ pid, memoryMib }) => [pid, memoryMib])).toEqual(
        names.slice(FILES).map((_, at) => [pids[at] ?? 4_000_000 + at, 1]),
      );
      expect(processes.map(({ user }) => user)).toEqual(
        names.slice(FILES).map((_, at) => (at < PROCESSES ? MALLORY.name : null)),
      );
      for (const { command } of processes) expect(command ?? '').not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(seen.reservationProblem ?? null).toEqual(
        isValid ? null : expect.stringContaining(`1 reservation file is ignored (of ${MALLORY.name})`),
      );
      expect(seen.reservations).toHaveLength(isValid ? notes.length : 0);
      for (const { user, gpuId, note } of seen.reservations) {
        expect([user, note]).toEqual([MALLORY.name, note.replace(/[\p{Cc}\p{Cf}]/gu, '')]);
        expect(gpuId).toMatch(/^GPU-[01]$/);
      }
    }
    await jobNamesMoveNothing(bench.tools, await unwrap(Promise.resolve(fleet.get('lab'))));
    expect(existsSync(trace)).toBe(false);
    // Among all that, the first user's own reservation is made and seen as theirs.
    const own = await unwrap(monitor.reserve('lab', { gpuId: 'GPU-0000', minutes: 1_440, note: 'mine' }));
    expect(own.reservations.filter(({ user }) => user === ALICE.name)).toMatchObject([{ note: 'mine' }]);
    expect(existsSync(trace)).toBe(false);
  });

  test('what one runs, the other cannot read, neither in arguments nor in environments', async () => {
    const { place, sshd, fleet } = await lab();
    const machine = await unwrap(Promise.resolve(fleet.get('lab')));
    const ready = join(place, 'ready');
    const looking = asMallory(
      sshd,
      String.raw`: >${shellWord(ready)}; tries=0
until case $all in *'sleep 4 '*) true ;; *) false ;; esac; do
  tries=$((tries + 1)); [ "$tries" -lt 1000 ] || break
  all=$(cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr '\0' ' ')
done
case $all in *'sleep 4 '*) echo running ;; esac
case $all in *planted'-'word*) echo readable ;; *) echo hidden ;; esac`,
    );
    await eventually('the other user', () => existsSync(ready));
    const running = machine.run('echo begun >&2; read -r line; sleep 4; : planted-word', {
      stdin: 'planted-word\n',
    });
    const [seen] = await Promise.all([looking, running]);
    expect(seen).toBe('running\nhidden\n');
  });
});
