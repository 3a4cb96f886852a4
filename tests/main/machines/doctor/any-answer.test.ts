import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ok } from '../../../../main/base';
import { createLocalMachine, type Machine } from '../../../../main/machines';
import { examinationsFor } from '../../../../main/machines/doctor/examinations';
import { doctorCheckSchema, type MachineSpec, slurmDefaultsSchema } from '../../../../preload/contract';

const SPEC: MachineSpec = {
  kind: 'slurm',
  id: 'c',
  name: 'c',
  host: 'c',
  defaults: slurmDefaultsSchema.parse({}),
};

const NAMES =
  'shell command.text command.time login.text ends file pam place memory tasks core path version real venv time code said cuda driver nvcc closed environment package torch-cuda checkout gpu module system python bwrap missing sinfo partition-line trial accounting taken port'.split(
    ' ',
  );
const VALUES = [
  '',
  'yes',
  'no',
  '0',
  '1',
  '124',
  '-1',
  'x',
  '/bin/sh',
  '3.8.1',
  '3.12.1',
  '12.4',
  'Linux',
  'venv /a/b',
  'vllm 0.6',
  'mars2-doctor-was-here',
  '1700000000000000000 1700000009000000000',
  'true',
  'error: no',
  '99999999999999999999',
];
const line = fc.oneof(
  fc
    .tuple(fc.constantFrom(...NAMES), fc.oneof(fc.constantFrom(...VALUES), fc.string({ maxLength: 20 })))
    .map(([name, value]) => `${name}=${value}`),
  fc.constantFrom(
    '--inodes',
    '--write',
    '--written',
    '--asked',
    '/dev/sda1 1000 900 100 90% /home',
    '/dev/sda1 5 4 3 0 1 2 3 0',
    'Max open files  1 1 files',
    'tmux 1.8',
    '/usr/bin/tmux',
    'vllm 1 3 ImportError: x',
  ),
  fc.string({ maxLength: 30 }),
);
const end = fc.record({
  code: fc.constantFrom(0, 1, 124, 127, 139),
  stdout: fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n')),
  stderr: fc.string({ maxLength: 30 }),
});

test('for any output of a script, each check has a finding, and every problem an action', async () => {
  const local = createLocalMachine('/nowhere', SPEC);
  // Those that only ask by scripts: the others start processes.
  const examinations = examinationsFor(SPEC).filter(
    ({ checks }) => !checks.some(({ id }) => id === 'ports' || id === 'detach'),
  );
  await fc.assert(
    fc.asyncProperty(end, async (answer) => {
      const machine: Machine = { ...local, run: async () => ok(answer) };
      for (const { checks, run } of examinations) {
        const findings = await run({
          machine,
          clock: { now: () => 1_700_000_000_000 },
          signal: new AbortController().signal,
          readGpus: async () => ok(null),
        });
        expect(findings).toHaveLength(checks.length);
        for (const [index, finding] of findings.entries()) {
          expect(doctorCheckSchema.safeParse({ ...checks[index], ...finding }).error).toBeUndefined();
          expect(finding.found.trim()).not.toBe('');
          expect(finding.found).not.toMatch(/undefined|NaN|Infinity/);
          if (finding.state === 'warning' || finding.state === 'bad') expect(finding.todo).toBeTruthy();
          if (finding.state === 'good') expect(finding.todo).toBeNull();
        }
      }
    }),
    { numRuns: 500, seed: 7 },
  );
});
