import type { Connection, DoctorCheck, MachineSpec, MachineView } from '../../preload/contract/machine';
import { assertNever } from './assert-never';

export type MachineTone = 'active' | 'good' | 'quiet' | 'bad' | 'unsure';
export type MachineStateWords = { readonly tone: MachineTone; readonly words: string };

/** "14:02" of today, "20 Nov 14:02" of another day; in the clock of this computer. */
export function clockTime(at: string, now: number): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (date.toDateString() === new Date(now).toDateString()) return time;
  return `${date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${time}`;
}

/** A state in the room of a table. */
export function connectionWords(connection: Connection, now: number): MachineStateWords {
  switch (connection.kind) {
    case 'off':
      return { tone: 'quiet', words: 'Not connected' };
    case 'connecting':
      return { tone: 'active', words: 'Connecting' };
    case 'needs-login':
      return { tone: 'unsure', words: 'Needs login' };
    case 'connected':
      return { tone: 'good', words: 'Connected' };
    case 'unreachable':
      return { tone: 'bad', words: `Unreachable since ${clockTime(connection.since, now)}` };
    default:
      return assertNever(connection);
  }
}

/** What the user can do about a connection, as the buttons beside the explanation. */
export type ConnectionHelp = 'connect' | 'answer' | 'disconnect';
export type ConnectionExplanation = {
  readonly title: string;
  readonly message: string;
  readonly hint?: string;
  readonly help: readonly ConnectionHelp[];
};

/** Why nothing is seen of a machine, and what helps; null while it is connected. */
export function explainConnection(machine: MachineView, now: number): ConnectionExplanation | null {
  const { connection, spec } = machine;
  switch (connection.kind) {
    case 'connected':
      return null;
    case 'off':
      return {
        title: 'Not connected',
        message:
          'What runs there goes on by itself. Connect to see its GPUs, its jobs and their logs as they are now.',
        help: ['connect'],
      };
    case 'connecting':
      return {
        title: 'Connecting',
        message: `${spec.name} has been called since ${clockTime(connection.since, now)}. What it asks will appear here as a terminal.`,
        help: ['disconnect'],
      };
    case 'needs-login':
      return {
        title: `${spec.name} asks for something`,
        message: `It has been waiting since ${clockTime(connection.since, now)}: "${connection.prompt}"`,
        help: ['answer', 'disconnect'],
      };
    case 'unreachable':
      return {
        title: `Unreachable since ${clockTime(connection.since, now)}`,
        message: `${connection.message} ${seenWords(connection.lastSeenAt, now)} ${retryWords(connection.nextTryAt, now)}`,
        ...(connection.hint === undefined ? {} : { hint: connection.hint }),
        help: connection.nextTryAt === null ? ['connect'] : ['connect', 'disconnect'],
      };
    default:
      return assertNever(connection);
  }
}

function seenWords(lastSeenAt: string | null, now: number): string {
  return lastSeenAt === null
    ? 'It has not answered since the workbench was started.'
    : `It answered last at ${clockTime(lastSeenAt, now)}; what is shown below is from then.`;
}

function retryWords(nextTryAt: string | null, now: number): string {
  if (nextTryAt === null) return 'It is not tried again by itself.';
  const seconds = Math.round((Date.parse(nextTryAt) - now) / 1_000);
  if (seconds <= 1) return 'It is tried again now.';
  return seconds < 90
    ? `It is tried again in ${seconds} s.`
    : `It is tried again in ${Math.round(seconds / 60)} min.`;
}

/** How it is reached: "this computer", "ssh gpu-a", "Slurm on login1". */
export function reachWords(spec: MachineSpec): string {
  switch (spec.kind) {
    case 'local':
      return 'this computer';
    case 'ssh':
      return `ssh ${spec.host}`;
    case 'slurm':
      return spec.host === null ? 'Slurm on this computer' : `Slurm, asked on ${spec.host}`;
    default:
      return assertNever(spec);
  }
}

const CHECK_TONES: Readonly<Record<DoctorCheck['state'], MachineStateWords>> = {
  good: { tone: 'good', words: 'Good' },
  warning: { tone: 'unsure', words: 'Look' },
  bad: { tone: 'bad', words: 'Mend' },
  unknown: { tone: 'quiet', words: 'Unknown' },
};

export function checkWords(state: DoctorCheck['state']): MachineStateWords {
  return CHECK_TONES[state];
}

/** "All 14 checks are good", "2 to mend, 1 to look at, 11 good". */
export function doctorSummary(checks: readonly DoctorCheck[]): string {
  const of = (state: DoctorCheck['state']): number => checks.filter((check) => check.state === state).length;
  if (of('good') === checks.length) return `All ${checks.length} checks are good`;
  const parts: readonly (readonly [number, string])[] = [
    [of('bad'), 'to mend'],
    [of('warning'), 'to look at'],
    [of('unknown'), 'unknown'],
    [of('good'), 'good'],
  ];
  return parts.flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`])).join(', ');
}
