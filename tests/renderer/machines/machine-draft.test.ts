import { describe, expect, test } from 'vitest';
import { machineSpecSchema } from '../../../preload/contract';
import {
  checkMachine,
  draftOf,
  EMPTY_MACHINE,
  type MachineDraft,
  nameOf,
  uniqueId,
} from '../../../renderer/machines/machine-draft';
import { busyMachines } from '../../support/sample-machines';

const EXISTING = busyMachines().map(({ spec }) => spec);
const ssh = (part: Partial<MachineDraft>): MachineDraft => ({ ...EMPTY_MACHINE, host: 'gpu-z', ...part });
const messagesFor = (draft: MachineDraft) => {
  const checked = checkMachine(draft, EXISTING, null);
  return checked.kind === 'wrong' ? Object.keys(checked.errors) : [];
};

test('a host alone is enough', () => {
  expect(checkMachine(ssh({ host: ' user1@gpu-z.lab.example ' }), EXISTING, null)).toEqual({
    kind: 'good',
    spec: { kind: 'ssh', id: 'gpu-z', name: 'gpu-z', host: 'user1@gpu-z.lab.example' },
  });
});

test.each([
  ['', 'nothing'],
  ['-oProxyCommand=x', 'an option'],
  ['gpu-z -p 22', 'options behind it'],
  ['user1@10.0.0.5:2222', 'a port behind it'],
])('%j (%s) is not an ssh name', (host) => {
  expect(messagesFor(ssh({ host }))).toEqual(['host']);
});

test('of a port behind the host the form says how ssh takes it', () => {
  const checked = checkMachine(ssh({ host: 'user1@gpu-z:2222' }), EXISTING, null);
  expect(checked.kind === 'wrong' && checked.errors.host).toBe(
    'A port is not written behind the host: enter ssh://user1@gpu-z:2222, or set "Port 2222" in ~/.ssh/config.',
  );
});

test.each(['ssh://user1@gpu-z:2222', 'ssh://gpu-z', 'fe80::1', 'user1@2001:db8::5'])(
  '%s is an ssh name',
  (host) => expect(messagesFor(ssh({ host }))).toEqual([]),
);

test('a name that is taken is refused, its own is not', () => {
  expect(messagesFor(ssh({ name: 'gpu-a' }))).toEqual(['name']);
  expect(checkMachine(ssh({ name: 'gpu-a' }), EXISTING, 'gpu-a').kind).toBe('good');
});

describe('a cluster', () => {
  test('is asked on this computer where that is a login node', () => {
    const checked = checkMachine(
      { ...EMPTY_MACHINE, kind: 'slurm', isHere: true, hours: '1.5', partition: ' gpu ' },
      EXISTING,
      null,
    );
    expect(checked).toEqual({
      kind: 'good',
      spec: {
        kind: 'slurm',
        id: 'slurm-on-this-computer',
        name: 'Slurm on this computer',
        host: null,
        defaults: { partition: 'gpu', account: '', minutes: 90, options: '' },
      },
    });
  });

  test.each(['', '0', '-2', 'a day', '721'])('%j hours are refused', (hours) => {
    expect(messagesFor(ssh({ kind: 'slurm', hours }))).toEqual(['hours']);
  });
});

test('what was saved comes back into the form as it was', () => {
  for (const spec of EXISTING) {
    const draft = draftOf(spec);
    if (draft === null) continue;
    expect(checkMachine(draft, EXISTING, spec.id)).toEqual({ kind: 'good', spec });
  }
});

test.each([
  ['10.0.0.5', '10.0.0.5'],
  ['user1@10.0.0.5', '10.0.0.5'],
  ['gpu-z.lab.example', 'gpu-z'],
  ['ssh://gpu-z.lab.example:2222', 'gpu-z'],
])('%s is called %s', (host, name) => {
  expect(nameOf(ssh({ host }))).toBe(name);
});

test.each(['Große Maschine №1', '---', 'x'.repeat(60), 'gpu-a'])('%j has an id of its own', (name) => {
  const id = uniqueId(name, EXISTING);
  expect(EXISTING.map((spec) => spec.id)).not.toContain(id);
  expect(machineSpecSchema.safeParse({ kind: 'ssh', id, name: 'a', host: 'b' }).success).toBe(true);
});
