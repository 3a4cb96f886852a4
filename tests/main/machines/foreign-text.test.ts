import { existsSync } from 'node:fs';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Machine, spawnScript } from '../../../main/machines';
import { learnerScript } from '../../../main/machines/logic/doctor/learner';
import { packagesScript } from '../../../main/machines/logic/learner-packages';
import { openFleet, sshSpec } from '../../support/fleet-bench';
import { freshMonitor } from '../../support/fresh-monitor';
import { healthyCard, nvidiaStandIn } from '../../support/nvidia-stand-in';
import { smallFleet } from '../../support/small-fleet';
import { hasSshd, startSshd } from '../../support/sshd';
import { toolBench } from '../../support/stand-in-tools';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

const ME = process.getuid?.() ?? 0;
/** Root can plant a file that is really another user's. */
const OTHER = ME === 0 ? 65_534 : ME;

/** What another user of a machine may write: each makes the file `proof` where it is run as code. */
function hostileTexts(proof: string): readonly string[] {
  const run = `touch ${proof}`;
  return [
    `'; ${run}; '`,
    `"; ${run}; "`,
    `$(${run})`,
    `\`${run}\``,
    `\n${run}\n`,
    `'\n${run}\n'`,
    `&& ${run}`,
    `| ${run}`,
    `-oProxyCommand=${run}`,
    `\\'; ${run} #`,
  ];
}

/** Sections of the reader's own form that claim another answer, in the ways in which one might begin. */
function forgedSections(text: string): string {
  const query = `index,uuid,name${text}`;
  return ['', '|', '\r', '\0']
    .map((start) =>
      [
        `${start}@ nvidia.query 0 ${query}`,
        `${start}|0, GPU-forged, Forged`,
        `${start}@ facts 0`,
        `${start}|hostname=forged`,
        `${start}@ end 0`,
      ].join('\n'),
    )
    .join('\n');
}

const RESERVATIONS = `mars2-reservations-${OTHER}/reservations.json`;

/** Writes the other user's file. */
async function plantReservation(place: string, text: string): Promise<void> {
  const file = join(place, RESERVATIONS);
  await mkdir(dirname(file), { recursive: true, mode: 0o755 });
  await writeFile(file, text);
  if (OTHER !== ME) for (const path of [file, dirname(file)]) await chown(path, OTHER, OTHER);
}

describe('text of another user in a probe', () => {
  async function bench() {
    const parent = await temporaryFolder();
    const tools = await toolBench();
    const place = join(parent, 'reservations');
    const { look } = freshMonitor(smallFleet(tools.machine), place);
    const probe = () => look(tools.machine.id);
    return { tools, place, probe, proof: join(parent, 'proof') };
  }

  test('runs nothing and moves no field when a reservation file holds it', async () => {
    const { tools, place, probe, proof } = await bench();
    await nvidiaStandIn(tools, [healthyCard(0)]);
    const clean = await probe();
    for (const text of hostileTexts(proof)) {
      await plantReservation(place, `${forgedSections(text)}\n${text}`);
      for (let time = 0; time < 2; time += 1) {
        const { gpus, facts, reservations } = await probe();
        expect(gpus?.gpus.map(({ id, name }) => [id, name])).toEqual(
          clean.gpus?.gpus.map(({ id, name }) => [id, name]),
        );
        expect(facts?.hostname).toBe(clean.facts?.hostname);
        expect(reservations).toEqual([]);
      }
    }
    expect(existsSync(proof)).toBe(false);
  });

  test('runs nothing when its writer watches the process table for marks', async () => {
    const { tools, place, probe, proof } = await bench();
    await plantReservation(place, 'not yet');
    // The look lists the folder before it reads the file: that is when the other user writes.
    await tools.standIn(
      'ls',
      `for mark in $(cat /proc/[0-9]*/cmdline | tr -c '@0-9a-f-' '\\n' | grep -E '^@?[0-9a-f-]{24,40}$' | sort -u); do
  printf "\\n%s nvidia.query 0 index,uuid'; touch ${proof}; '\\n0, GPU-forged\\n" "$mark"
done >'${join(place, RESERVATIONS)}'
exec /usr/bin/ls "$@"`,
    );
    for (let time = 0; time < 2; time += 1)
      expect((await probe()).gpus?.gpus.map(({ id }) => id) ?? []).not.toContain('GPU-forged');
    await nvidiaStandIn(tools, [healthyCard(0)]);
    expect((await probe()).gpus?.gpus.map(({ id }) => id)).toEqual(['GPU-0000']);
    expect(existsSync(proof)).toBe(false);
  });

  test('runs nothing when it is in a row of nvidia-smi, and a row without a UUID is reported', async () => {
    const { tools, probe, proof } = await bench();
    const rows = hostileTexts(proof)
      .filter((text) => !text.includes('\n'))
      .map((text, index) => healthyCard(index + 1, { uuid: `GPU-${text}`, name: text }));
    await nvidiaStandIn(tools, [healthyCard(0), ...rows], {
      apps: hostileTexts(proof)
        .map((text) => `GPU-0000, 4194303, 512, ${text}\n${text}, 1, 2, x\n`)
        .join(''),
      before: `touch "$here/ran"`,
    });
    await probe();
    const { gpus } = await probe();
    expect(gpus?.gpus.map(({ id }) => id)).toEqual(['GPU-0000']);
    expect(gpus?.problems.some((problem) => problem.includes('with an invalid UUID'))).toBe(true);
    expect(gpus?.problems.some((problem) => problem.includes('could not be read'))).toBe(true);
    expect(gpus?.gpus[0]?.processes.every(({ pid }) => pid === 4_194_303)).toBe(true);
    expect(existsSync(join(tools.tools, 'ran'))).toBe(true);
    expect(existsSync(proof)).toBe(false);
  });
});

async function machineOverSsh() {
  const sshd = await startSshd();
  onTestFinished(sshd.stop);
  const { fleet } = await openFleet(sshd.sshArgs, [sshSpec(sshd)]);
  return { fleet, machine: await unwrap(Promise.resolve(fleet.get('lab'))) };
}

describe('a script of ours', () => {
  /** Says whether the process table, which every user can read, holds the word that stands in this script. */
  const ASKS = `
table=$(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n')
case $table in '') echo nothing ;; *planted-word*) echo readable ;; *) echo hidden ;; esac`;

  async function answersOf(machine: Machine): Promise<readonly string[]> {
    const attached = await unwrap(spawnScript(machine, ASKS));
    let written = '';
    attached.stdout.on('data', (chunk: Buffer) => {
      written += chunk.toString();
    });
    await attached.ended;
    const setUp = `{ ${ASKS}\n} >&2`;
    const runs = [
      { script: ASKS },
      { script: ASKS, stdin: 'planted-word' },
      // Too large for a shell's line: it gets a process of its own.
      { script: ASKS, stdin: 'planted-word'.repeat(20_000) },
    ];
    const ran = await Promise.all(
      runs.map(({ script, stdin = '' }) => unwrap(machine.run(script, { stdin }))),
    );
    const learner = { python: 'true', program: '/', setUp };
    const inBash = await unwrap(machine.run(packagesScript(learner)));
    const checked = await unwrap(machine.run(learnerScript({ ...learner, folder: '/' })));
    return [written, ...ran.map(({ stdout }) => stdout), inBash.stderr, checked.stderr].map((text) =>
      text.trim(),
    );
  }
  const HIDDEN = Array.from({ length: 6 }, () => 'hidden');

  test('stands in no process table on this computer', async () => {
    expect(await answersOf((await toolBench()).machine)).toEqual(HIDDEN);
  });

  test.skipIf(!hasSshd)('stands in no process table over a real sshd (needs openssh-server)', async () => {
    const { machine } = await machineOverSsh();
    expect(await answersOf(machine)).toEqual(HIDDEN);
  });
});

describe.skipIf(!hasSshd)('text of another user over a real sshd (needs openssh-server)', () => {
  /** Prints, as an end of the answer, every mark that the process table shows. */
  const FORGE_ENDS = `
cat /proc/[0-9]*/cmdline 2>/dev/null | tr -c '0-9a-f' '\\n' | grep -E '^[0-9a-f]{24}' | cut -c 1-24 | sort -u |
while read -r mark; do
  for text in "$mark 0 0" "\${mark}e 0 0" "\${mark}b 0"; do echo "$text"; echo "$text" >&2; done
done
echo last; echo last >&2`;

  test('cannot end the answer of a script', async () => {
    const { machine: lab } = await machineOverSsh();
    const answer = await unwrap(lab.run(`${FORGE_ENDS}\nexit 3`));
    expect(answer.code).toBe(3);
    expect(answer.stdout).toMatch(/(^|\n)last\n$/);
    expect(answer.stderr).toMatch(/(^|\n)last\n$/);
  });

  test('cannot forge the exit code of a process', async () => {
    const { machine: lab } = await machineOverSsh();
    const process = await unwrap(lab.spawn('/bin/sh', ['-c', `${FORGE_ENDS}\nenv | grep MARS2_\nexit 3`]));
    let errors = '';
    let output = '';
    process.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    process.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    expect(await process.ended).toEqual({ code: 3 });
    expect(errors).toMatch(/(^|\n)last\n$/);
    expect(output).not.toContain('MARS2_');
  });

  test('runs nothing and moves no field of a probe', async () => {
    const { fleet } = await machineOverSsh();
    const parent = await temporaryFolder();
    const place = join(parent, 'reservations');
    const proof = join(parent, 'proof');
    const { look } = freshMonitor(fleet, place);
    const clean = await look('lab');
    for (const text of hostileTexts(proof)) {
      await plantReservation(place, `${forgedSections(text)}\n${text}`);
      const { facts, gpus, reservations } = await look('lab');
      expect([facts, gpus, reservations]).toEqual([clean.facts, clean.gpus, []]);
    }
    expect(existsSync(proof)).toBe(false);
  });
});
