import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { failed, ok, type Result } from '../../base';
import { helloAnswer, helloLine, tokenAnswer, tokenLine } from '../logic/shell-scripts';
import { type SshProgram, sessionArguments } from '../logic/ssh-arguments';
import type { ShellFailure } from '../logic/ssh-failures';

/** Where a connection of ssh is served on this computer. */
export type SshSocket = { readonly ssh: SshProgram; readonly path: string; readonly host: string };

/** A plain shell on the machine that reads lines; its output is only theirs. */
export type OpenShell = ChildProcessWithoutNullStreams;

/** After so long without an answer, a line is sent: an rc file may wait for input. */
const REPEAT_MS = 3_000;
const TIMEOUT_MS = 45_000;
/** Characters of the login shell's other output that are stored. */
const MAX_KEPT_OUTPUT = 2_000;

/** Opens a plain shell over the connection, whatever the login shell is and writes. */
export async function openShell(socket: SshSocket): Promise<Result<OpenShell, ShellFailure>> {
  const token = randomBytes(12).toString('hex');
  const child = spawn(
    socket.ssh.program,
    sessionArguments(socket.ssh, socket.path, socket.host, helloLine(0)),
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  // A write to an ended shell fails; its `close` reports the end.
  child.stdin.on('error', () => undefined);
  return new Promise((resolve) => {
    let [output, errors, number] = ['', '', 0];
    /** The number of the last hello that was answered with the token; -1: none yet. */
    let greeted = -1;
    const finish = (answer: Result<OpenShell, ShellFailure>) => {
      clearInterval(again);
      clearTimeout(timeout);
      child.removeAllListeners();
      child.stdout.removeAllListeners('data').pause();
      child.stderr.removeAllListeners('data').pause();
      child.on('error', () => undefined);
      if (!answer.ok) endShell(child);
      resolve(answer);
    };
    const noShell = (isSilent: boolean): Result<OpenShell, ShellFailure> =>
      failed({
        kind: 'no-shell',
        output: (errors.trim() || output.trim()).slice(-MAX_KEPT_OUTPUT),
        isSilent,
      });
    let isFirst = true;
    const again = setInterval(() => {
      // A prompt of an rc file gets an Enter first; another shell needs the whole line.
      if (!isFirst) number += 1;
      child.stdin.write(isFirst ? '\n' : `${helloLine(number)}\n`);
      isFirst = false;
    }, REPEAT_MS);
    const timeout = setTimeout(() => finish(noShell(true)), TIMEOUT_MS);
    child.stdout.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString('latin1')).slice(-MAX_KEPT_OUTPUT);
      // Only the answer to the last line counts: then no line of ours is still on its way to the shell.
      if (output.endsWith(tokenAnswer(token, number))) finish(ok(child));
      else if (greeted !== number && output.includes(helloAnswer(number))) {
        greeted = number;
        // The answer to the token has as long as the one to the hello had.
        again.refresh();
        child.stdin.write(`${tokenLine(token, number)}\n`);
      }
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString('utf8')).slice(-MAX_KEPT_OUTPUT);
    });
    child.once('error', (error) =>
      finish(failed({ kind: 'no-shell', output: error.message, isSilent: false })),
    );
    child.once('close', () => {
      if (/Session open refused/.test(errors)) finish(failed({ kind: 'full' }));
      // ssh's messages when it would need its own connection, and when one breaks.
      else if (/UNKNOWN port|mux_client|master is dead|[Cc]ontrol socket/.test(errors))
        finish(failed({ kind: 'cut' }));
      else finish(noShell(false));
    });
  });
}

/** Ends a shell or process over the connection, and with it its session. */
export function endShell(shell: OpenShell): void {
  shell.stdin.destroy();
  shell.stdout.destroy();
  shell.stderr.destroy();
  shell.kill('SIGKILL');
}
