import { expect, test } from 'vitest';
import { sandboxRefusal } from '../../../../main/grading/logic/sandbox-refusal';

const debian = { packageManager: '/usr/bin/apt-get', isRoot: false };

test('without bubblewrap the refusal holds the line to type', () => {
  expect(sandboxRefusal({ kind: 'no-bwrap' }, debian)).toEqual({
    code: 'unavailable',
    message: 'Programs cannot be graded: bubblewrap, the sandbox, is not installed.',
    hint: 'sudo apt-get install -y bubblewrap',
  });
  expect(sandboxRefusal({ kind: 'no-bwrap' }, { ...debian, isRoot: true }).hint).toBe(
    'apt-get install -y bubblewrap',
  );
  expect(sandboxRefusal({ kind: 'no-bwrap' }, { packageManager: '/usr/bin/dnf', isRoot: true }).hint).toBe(
    'dnf install -y bubblewrap',
  );
});

test('without Python the refusal names the oldest version that will do', () => {
  const { message, hint } = sandboxRefusal({ kind: 'no-python' }, debian);
  expect([message, hint]).toEqual([
    'Programs cannot be graded: there is no Python 3.9 or later on this computer.',
    'sudo apt-get install -y python3',
  ]);
});

test('a Python that the settings name is not replaced by another one', () => {
  const { message, hint } = sandboxRefusal({ kind: 'no-python', named: '/opt/lab/bin/python3' }, debian);
  expect(message).toContain('/opt/lab/bin/python3 is not a Python 3.9 or later that starts.');
  expect(hint).toContain('Name another one under Settings, Grading');
});

test('where the system forbids user namespaces, the message names the setting to change', () => {
  const detail = 'bwrap: setting up uid map: Permission denied';
  const { message, hint } = sandboxRefusal(
    { kind: 'broken-sandbox', detail, python: '/usr/bin/python3' },
    debian,
  );
  expect(message).toContain(detail);
  expect(hint).toContain('sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0');
});

test('a Python that the sandbox cannot read has its own message', () => {
  const detail = "bwrap: Can't find source path /root/py: Permission denied";
  const { hint } = sandboxRefusal({ kind: 'broken-sandbox', detail, python: '/root/py/bin/python3' }, debian);
  expect(hint).toContain('The sandbox cannot read /root/py/bin/python3');
});

test('off Linux the refusal leads to a machine of the lab', () => {
  const { message, hint } = sandboxRefusal({ kind: 'no-linux' }, { packageManager: null, isRoot: false });
  expect(message).toContain('exists on Linux only');
  expect(hint).toBe(
    'Grade on a Linux machine of your lab: add it under Machines, then choose it under Settings, Grading machine.',
  );
});
