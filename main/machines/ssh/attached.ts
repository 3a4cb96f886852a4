import { PassThrough, Transform } from 'node:stream';
import { failed, ok, type Result } from '../../base';
import { attachedBlock, type Marks } from '../logic/shell-scripts';
import type { ShellTools } from '../logic/shell-survey';
import type { ShellFailure } from '../logic/ssh-failures';
import type { AttachedProcess } from '../machine';
import { markLine, newMarks } from './framed-output';
import { endShell, type OpenShell } from './shell';

/** Time to start a process. */
const START_MS = 20_000;
/** Time for a killed process to close its streams. */
const KILL_MS = 2_000;
const KILLED = 137;

/** Turns an open shell into a process; see `Machine.spawn`. `killGroup` kills a process group there. */
export async function attach(
  shell: OpenShell,
  tools: ShellTools,
  command: readonly [words: readonly string[], env: Readonly<Record<string, string>>],
  killGroup: (group: number) => Promise<boolean>,
): Promise<Result<AttachedProcess, ShellFailure>> {
  const marks = newMarks();
  const errors = new MarkedErrors(marks);
  shell.stderr.pipe(errors);
  shell.stdin.write(attachedBlock(tools, marks, ...command));
  const group = await firstMark(shell, Buffer.from(marks.begin));
  if (group === null) {
    endShell(shell);
    return failed({ kind: 'cut' });
  }
  let isKilled = false;
  // A stream that was paused explicitly would not flow for its next reader.
  const stdout = shell.stdout.pipe(new PassThrough());
  const ended = new Promise<{ readonly code: number | null }>((resolve) => {
    const end = () => resolve({ code: errors.code ?? (isKilled ? KILLED : null) });
    shell.once('close', () => {
      if (!shell.stdout.readableEnded) stdout.end();
      if (errors.writableFinished) return end();
      errors.once('finish', end).once('close', end);
      // Connection cut: no end comes down the pipe.
      if (!shell.stderr.readableEnded) errors.destroy();
    });
  });
  return ok({
    stdin: shell.stdin,
    stdout,
    stderr: errors,
    ended,
    kill: () => {
      if (isKilled) return;
      isKilled = true;
      // Also when the connection cannot report its end.
      const last = setTimeout(() => endShell(shell), KILL_MS);
      void ended.then(() => clearTimeout(last));
      void killGroup(group);
    },
  });
}

/** Reads up to the mark and leaves the rest for the next reader; null when it does not come. */
function firstMark(shell: OpenShell, mark: Buffer): Promise<number | null> {
  return new Promise((resolve) => {
    let received: Buffer = Buffer.alloc(0);
    const finish = (group: number | null, rest: Buffer) => {
      clearTimeout(timer);
      shell.removeListener('close', onClose);
      shell.stdout.removeListener('data', onData).pause();
      if (rest.length > 0) shell.stdout.unshift(rest);
      resolve(group);
    };
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const line = markLine(received, mark);
      if (line !== null) finish(Number(line.words[0]), received.subarray(line.after));
    };
    const onClose = () => finish(null, Buffer.alloc(0));
    const timer = setTimeout(onClose, START_MS);
    shell.once('close', onClose);
    shell.stdout.on('data', onData).resume();
  });
}

/** The process's own stderr, without the marks around it; the last mark has the exit code. */
class MarkedErrors extends Transform {
  readonly #begin: Buffer;
  readonly #end: Buffer;
  #hasBegun = false;
  #rest: Buffer = Buffer.alloc(0);
  code: number | null = null;

  constructor(marks: Marks) {
    super();
    this.#begin = Buffer.from(marks.begin);
    this.#end = Buffer.from(marks.end);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (!this.#hasBegun) {
      const line = markLine(this.#rest, this.#begin);
      if (line === null) {
        done();
        return;
      }
      this.#hasBegun = true;
      this.#rest = this.#rest.subarray(line.after);
    }
    const line = markLine(this.#rest, this.#end);
    if (line !== null) {
      this.code = Number(line.words[0]);
      this.#give(this.#rest.subarray(0, line.at));
      this.#rest = Buffer.alloc(0);
    } else {
      const sure = this.#sureBytes();
      this.#give(this.#rest.subarray(0, sure));
      this.#rest = this.#rest.subarray(sure);
    }
    done();
  }

  override _flush(done: () => void): void {
    if (this.#hasBegun) this.#give(this.#rest);
    done();
  }

  /** How many bytes cannot be the beginning of the end mark. */
  #sureBytes(): number {
    const at = this.#rest.indexOf(this.#end);
    if (at >= 0) return at;
    const from = Math.max(0, this.#rest.length - this.#end.length + 1);
    for (let at = from; at < this.#rest.length; at++)
      if (this.#end.subarray(0, this.#rest.length - at).equals(this.#rest.subarray(at))) return at;
    return this.#rest.length;
  }

  #give(bytes: Buffer): void {
    if (bytes.length > 0) this.push(bytes);
  }
}
