import { setTimeout as pause } from 'node:timers/promises';
import type { Refusal } from '../../../preload/contract';
import { failed, ok, type Result } from '../../base';
import { bareBlock } from '../logic/shell-scripts';
import { parseSurvey, type ShellTools, SURVEY } from '../logic/shell-survey';
import type { ShellFailure } from '../logic/ssh-failures';
import type { AttachedProcess } from '../machine';
import { connectionCutRefusal } from '../refusals';
import { attach } from './attached';
import { FramedOutput, newMarks } from './framed-output';
import { Heartbeat } from './heartbeat';
import { endShell, type OpenShell, openShell, type SshSocket } from './shell';
import { ShellPool } from './shell-pool';

const SURVEY_MS = 20_000;
const CLOSE_WAIT_MS = 300;
/** Time to kill a process group there. */
const KILL_MS = 5_000;

/** Operations over a working connection. */
export type SshSession = {
  readonly socket: SshSocket;
  readonly tools: ShellTools;
  readonly shells: ShellPool;
  readonly spawn: (
    words: readonly string[],
    env: Readonly<Record<string, string>>,
  ) => Promise<Result<AttachedProcess, Refusal>>;
  /** Whether it answers within that time. */
  readonly isAlive: (timeoutMs: number) => Promise<boolean>;
  readonly dispose: () => void;
};

/** Opens the first shells and surveys the machine's tools. Calls `onCut` when the connection turns out to be gone. */
export async function beginSession(
  socket: SshSocket,
  beatMs: number,
  onCut: () => void,
): Promise<Result<SshSession, ShellFailure>> {
  const opened = await Promise.all([openShell(socket), openShell(socket)]);
  // A server that allows one session gives only one of them.
  const [first, second] = opened[0].ok ? opened : [opened[1], opened[0]];
  const secondShell = second.ok || second.error.kind === 'full' ? second : null;
  const tools = first.ok && secondShell !== null ? await survey(first.value) : null;
  if (!first.ok || secondShell === null || tools === null) {
    for (const shell of [first, second]) if (shell.ok) endShell(shell.value);
    if (!first.ok) return first;
    return failed(second.ok ? { kind: 'no-shell', output: '', isSilent: true } : second.error);
  }
  const notice = (failure: ShellFailure): void => {
    if (failure.kind === 'cut') onCut();
  };
  const heartbeat = secondShell.ok
    ? new Heartbeat(secondShell.value, { everyMs: beatMs, onLost: onCut })
    : null;
  const shells = new ShellPool({
    host: socket.host,
    tools,
    first: first.value,
    open: () => openShell(socket),
    killGroup: heartbeat === null ? null : (group) => heartbeat.killGroup(group, KILL_MS),
    onFailure: notice,
  });
  const isAlive = async (timeoutMs: number): Promise<boolean> => {
    if (heartbeat !== null) return heartbeat.isAlive(timeoutMs);
    return (await shells.run(':', { stdin: '', timeoutMs, signal: null })).ok;
  };
  const startOnce = async (
    ...command: Parameters<SshSession['spawn']>
  ): Promise<Result<AttachedProcess, ShellFailure>> => {
    const shell = await openShell(socket);
    return shell.ok ? attach(shell.value, tools, command, (group) => shells.killGroup(group)) : shell;
  };
  return ok({
    socket,
    tools,
    shells,
    spawn: async (...command) => {
      let started = await startOnce(...command);
      if (!started.ok && started.error.kind === 'full') {
        shells.makeRoom();
        // The server needs a moment to close them.
        await pause(CLOSE_WAIT_MS);
        started = await startOnce(...command);
      }
      if (started.ok) return started;
      notice(started.error);
      return failed(refusalOf(socket.host, started.error));
    },
    isAlive,
    dispose: () => {
      heartbeat?.dispose();
      shells.dispose();
    },
  });
}

function refusalOf(host: string, failure: ShellFailure): Refusal {
  switch (failure.kind) {
    case 'cut':
      return connectionCutRefusal(host);
    case 'full':
      return {
        code: 'unavailable',
        message: `${host} allows no more sessions over one connection.`,
        hint: 'Close terminals on it, or ask for a higher MaxSessions in its sshd_config (10 by default).',
      };
    case 'no-shell':
      return {
        code: 'unavailable',
        message: `${host} gave no shell: ${failure.output === '' ? 'no reason given' : failure.output}.`,
      };
  }
}

/** null when it does not answer, or not in a readable form. */
function survey(shell: OpenShell): Promise<ShellTools | null> {
  const marks = newMarks();
  const answer = new FramedOutput(marks, { bytes: 65_536, keep: 'all' });
  return new Promise((resolve) => {
    const finish = (tools: ShellTools | null) => {
      clearTimeout(timer);
      shell.removeListener('close', onClose);
      shell.stdout.removeListener('data', onData).pause();
      shell.stderr.removeListener('data', ignore).pause();
      resolve(tools);
    };
    const ignore = () => undefined;
    const onClose = () => finish(null);
    const onData = (chunk: Buffer) => {
      answer.push(chunk);
      if (answer.isComplete) finish(parseSurvey(answer.bytes().toString('utf8')));
      else if (answer.isFlooded) finish(null);
    };
    const timer = setTimeout(onClose, SURVEY_MS);
    shell.once('close', onClose);
    shell.stdout.on('data', onData).resume();
    shell.stderr.on('data', ignore).resume();
    shell.stdin.write(bareBlock(marks, SURVEY));
  });
}
