import { assertNever } from '../../preload/contract/assert-never';
import { logSizeText } from '../../preload/contract/folds/left-out-text';
import type {
  Connection,
  DoctorCheck,
  HostKey,
  HostRefusal,
  MachineSpec,
  MachineView,
} from '../../preload/contract/machine';
import type { CleaningResult } from '../../preload/contract/machine-room';
import { clockTime } from '../widgets/format';
import type { StatusLabel } from './status';

export function connectionStatus(connection: Connection, now: number): StatusLabel {
  switch (connection.kind) {
    case 'off':
      return { tone: 'quiet', text: 'Not connected' };
    case 'connecting':
      return { tone: 'active', text: 'Connecting' };
    case 'needs-login':
      return { tone: 'unsure', text: connection.hostKey === undefined ? 'Needs login' : 'Unknown host key' };
    case 'connected':
      return { tone: 'good', text: 'Connected' };
    case 'unreachable':
      return { tone: 'bad', text: sinceText(connection, now) };
    default:
      return assertNever(connection);
  }
}

/** What the user can do about a connection: the buttons next to the explanation. */
export type ConnectionHelp = 'connect' | 'answer' | 'disconnect' | 'edit';
export type ConnectionExplanation = {
  readonly title: string;
  readonly message: string;
  readonly hint?: string;
  readonly help: readonly ConnectionHelp[];
};

/** The button that opens what ssh asks. */
export function loginLabel(connection: Connection): string {
  return connection.kind === 'needs-login' && connection.hostKey !== undefined ? 'Check the key' : 'Log in';
}

/** Why a machine is not connected, and what helps; null while it is. */
export function explainConnection(machine: MachineView, now: number): ConnectionExplanation | null {
  const { connection, spec } = machine;
  switch (connection.kind) {
    case 'connected':
      return null;
    case 'off':
      return {
        title: 'Not connected',
        message: 'Jobs on it keep running. Connect to see its GPUs, jobs and logs as they are now.',
        help: ['connect'],
      };
    case 'connecting':
      return {
        title: 'Connecting',
        message: `Connecting to ${spec.name} since ${clockTime(connection.since, new Date(now))}. If it asks for a login, a terminal opens here.`,
        help: ['disconnect'],
      };
    case 'needs-login':
      if (connection.hostKey !== undefined) return explainHostKey(connection.hostKey, connection.since, now);
      return {
        title: `${spec.name} asks for a login`,
        message: `Waiting for your answer since ${clockTime(connection.since, new Date(now))}: "${connection.prompt}"`,
        help: ['answer', 'disconnect'],
      };
    case 'unreachable':
      return {
        title: sinceText(connection, now),
        message: [connection.message, lastSeenText(connection, now), retryText(connection.nextTryAt, now)]
          .filter((sentence) => sentence !== '')
          .join(' '),
        ...(connection.hint === undefined ? {} : { hint: connection.hint }),
        help: connection.nextTryAt === null ? ['connect', 'edit'] : ['connect', 'disconnect', 'edit'],
      };
    default:
      return assertNever(connection);
  }
}

function explainHostKey({ host, fingerprint }: HostKey, since: string, now: number): ConnectionExplanation {
  return {
    title: `The host key of ${host} is not known yet: check it`,
    message: `${host} shows ${fingerprint}. Waiting for your answer since ${clockTime(since, new Date(now))}.`,
    hint: `Answer yes only if the administrator of ${host} names the same fingerprint. ssh then remembers it.`,
    help: ['answer', 'disconnect'],
  };
}

type Unreachable = Extract<Connection, { kind: 'unreachable' }>;

const REFUSALS: Readonly<Record<HostRefusal, string>> = {
  'host-key': 'Host key not accepted',
  'login-refused': 'Login refused',
  'login-left': 'Login not finished',
  'no-shell': 'No shell',
};

/** "Unreachable", or what a host that answers did instead: "Login refused". */
export function unreachableText({ refusal }: Pick<Unreachable, 'refusal'>): string {
  return refusal === undefined ? 'Unreachable' : REFUSALS[refusal];
}

function sinceText(connection: Unreachable, now: number): string {
  return `${unreachableText(connection)} since ${clockTime(connection.since, new Date(now))}`;
}

function lastSeenText({ lastSeenAt, refusal }: Unreachable, now: number): string {
  const at = lastSeenAt === null ? '' : clockTime(lastSeenAt, new Date(now));
  if (refusal !== undefined) return at === '' ? '' : `The data below is from ${at}.`;
  return at === '' ? 'It has not answered yet.' : `It last answered at ${at}; the data below is from then.`;
}

function retryText(nextTryAt: string | null, now: number): string {
  if (nextTryAt === null) return 'The workbench does not retry by itself.';
  const seconds = Math.round((Date.parse(nextTryAt) - now) / 1_000);
  if (seconds <= 1) return 'Retrying now.';
  return seconds < 90 ? `Retrying in ${seconds} s.` : `Retrying in ${Math.round(seconds / 60)} min.`;
}

/** How the machine is accessed: "this computer", "ssh gpu-a", "Slurm via login1". */
export function accessText(spec: MachineSpec): string {
  switch (spec.kind) {
    case 'local':
      return 'this computer';
    case 'ssh':
      return `ssh ${spec.host}`;
    case 'slurm':
      return spec.host === null ? 'Slurm on this computer' : `Slurm via ${spec.host}`;
    default:
      return assertNever(spec);
  }
}

const CHECK_STATUS: Readonly<Record<DoctorCheck['state'], StatusLabel>> = {
  good: { tone: 'good', text: 'Passed' },
  warning: { tone: 'unsure', text: 'Warning' },
  bad: { tone: 'bad', text: 'Fix' },
  unknown: { tone: 'quiet', text: 'Unknown' },
};

export function checkStatus({ state, isAbsent }: Pick<DoctorCheck, 'state' | 'isAbsent'>): StatusLabel {
  // Nothing to fix, and nothing there: "Passed" would promise too much.
  return state === 'good' && isAbsent === true ? { tone: 'quiet', text: 'None' } : CHECK_STATUS[state];
}

/** "All 14 checks passed", "2 to fix, 1 warning, 11 passed", "12 passed, 2 not there". */
export function doctorSummary(checks: readonly DoctorCheck[]): string {
  const isNone = ({ state, isAbsent }: DoctorCheck): boolean => state === 'good' && isAbsent === true;
  const of = (state: DoctorCheck['state']): number =>
    checks.filter((check) => check.state === state && !isNone(check)).length;
  if (of('good') === checks.length) return `All ${checks.length} checks passed`;
  const parts: readonly (readonly [number, string])[] = [
    [of('bad'), 'to fix'],
    [of('warning'), of('warning') === 1 ? 'warning' : 'warnings'],
    [of('unknown'), 'unknown'],
    [of('good'), 'passed'],
    [checks.filter(isNone).length, 'not there'],
  ];
  return parts.flatMap(([count, label]) => (count === 0 ? [] : [`${count} ${label}`])).join(', ');
}

/** The path of what is in a folder there. */
export function joinPath(folder: string, name: string): string {
  return `${folder === '/' ? '' : folder}/${name}`;
}

/** A name of a file there as it can be shown: what would change the line stands as a dot. */
export function shownName(name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '·');
}

/** Whether a machine is connected and what it is, as a line under its name. */
export function machineSummary({ spec, connection, facts, gpus }: MachineView): string {
  switch (connection.kind) {
    case 'off':
      return 'Not connected';
    case 'connecting':
      return 'Connecting';
    case 'needs-login':
      return connection.hostKey === undefined
        ? 'Waiting for your login (see Machines)'
        : 'Unknown host key: check it (see Machines)';
    case 'unreachable':
      return `${unreachableText(connection)}: ${connection.message}`;
    case 'connected': {
      if (spec.kind === 'slurm') return 'Connected, jobs go to Slurm';
      const count = gpus?.gpus.length ?? 0;
      return [
        facts?.system ?? 'Connected',
        ...(count === 0 ? ['no GPUs'] : [`${count} ${count === 1 ? 'GPU' : 'GPUs'}`]),
      ].join(', ');
    }
    default:
      return assertNever(connection);
  }
}

/** What a clean-up of a machine has done. */
export function cleanedText({ removed, bytes, problems }: CleaningResult): string {
  const done = `${removed} ${removed === 1 ? 'item' : 'items'} removed, ${logSizeText(bytes)}.`;
  return [done, ...problems.slice(0, 3)].join(' ');
}
