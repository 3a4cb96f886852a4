import { expect, test } from 'vitest';
import type { TerminalView } from '../../../preload/contract';
import { terminalNote } from '../../../renderer/terminals/terminal-note';
import { CONNECTED } from '../../support/sample-machines';

const SHELL: TerminalView = {
  id: 't1',
  machineId: 'gpu-a',
  title: 'gpu-a',
  purpose: 'shell',
  state: { kind: 'open' },
  durable: true,
};
const MACHINE = { name: 'gpu-a', isLocal: false, connection: CONNECTED };

test('a shell that survives everything needs no word', () => {
  expect(terminalNote(SHELL, MACHINE)).toBeNull();
});

test('without tmux the note explains how to keep shells', () => {
  const note = terminalNote({ ...SHELL, durable: false }, MACHINE);
  expect(note?.message).toContain('ends when the connection drops');
  expect(note?.message).toContain('tmux on gpu-a');
});

test('a shell that ended with its connection is reported as a lost connection', () => {
  const ended = { ...SHELL, durable: false, state: { kind: 'ended', code: 255 } } as const;
  expect(terminalNote(ended, MACHINE)).toMatchObject({ tone: 'warning', help: 'again' });
  expect(terminalNote(ended, { ...MACHINE, isLocal: true })?.message).toContain('exit code 255');
});

test('a cut offers to connect only where nothing is connected', () => {
  const detached = { ...SHELL, state: { kind: 'detached', why: 'The connection is gone.' } } as const;
  expect(terminalNote(detached, MACHINE)?.help).toBeNull();
  expect(terminalNote(detached, { ...MACHINE, connection: { kind: 'off' } })?.help).toBe('connect');
});
