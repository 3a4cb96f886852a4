import type { Refusal } from '../../../preload/contract';
import { failed, ok, type Result } from '../../base';
import { killScript, runBlock } from '../logic/shell-scripts';
import type { ShellTools } from '../logic/shell-survey';
import type { ShellFailure } from '../logic/ssh-failures';
import { MAX_STDOUT_BYTES } from '../machine';
import { busy, cancelled, connectionCutRefusal, outputTooLarge, timedOut } from '../refusals';
import type { OpenShell } from './shell';
import { type SessionEnd, ShellSession } from './shell-session';

/** A server allows ten sessions over a connection (MaxSessions), and terminals and processes need some of them. */
const MAX_SHELLS = 4;
/** A shell that was idle for so long is closed, except the last one. */
const IDLE_MS = 60_000;
/** A server that was full may have room again later, when terminals were closed. */
const FULL_MS = 60_000;
/** The machine kills a script by itself so long after its time-out, should the connection be gone. */
const GUARD_SLACK_SECONDS = 10;
/** Time to kill a script. */
const KILL_MS = 5_000;

/** The output of a script, byte for byte. */
export type RawEnd = { readonly code: number; readonly stdout: Buffer; readonly stderr: Buffer };

type PoolOptions = {
  readonly stdin: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | null;
};

/** A few shells on a machine, over one connection, that run any number of scripts. */
export class ShellPool {
  readonly #host: string;
  readonly #tools: ShellTools;
  readonly #open: () => Promise<Result<OpenShell, ShellFailure>>;
  readonly #kills: ((group: number) => Promise<boolean>) | null;
  readonly #onFailure: (failure: ShellFailure) => void;
  readonly #all = new Set<ShellSession>();
  readonly #idle: ShellSession[] = [];
  readonly #idleTimers = new Map<ShellSession, NodeJS.Timeout>();
  #opening = 0;
  #maxShells = MAX_SHELLS;
  #waiting: ((session: ShellSession | null) => void)[] = [];
  #isOver = false;

  /** `first` is a shell that is open. `onFailure` is called when another could not be opened. */
  constructor(options: {
    readonly host: string;
    readonly tools: ShellTools;
    readonly first: OpenShell;
    readonly open: () => Promise<Result<OpenShell, ShellFailure>>;
    readonly onFailure: (failure: ShellFailure) => void;
    /** Kills a process group without waiting for a shell; null: there is no such way. */
    readonly killGroup: ((group: number) => Promise<boolean>) | null;
  }) {
    this.#kills = options.killGroup;
    this.#host = options.host;
    this.#tools = options.tools;
    this.#open = options.open;
    this.#onFailure = options.onFailure;
    this.#giveBack(this.#take(options.first));
  }

  async run(script: string, { stdin, timeoutMs, signal }: PoolOptions): Promise<Result<RawEnd, Refusal>> {
    if (signal?.aborted) return failed(cancelled(this.#host));
    const session = await this.#acquire(timeoutMs);
    if (session === 'busy') return failed(busy(this.#host));
    if (session === null) return failed(connectionCutRefusal(this.#host));
    if (signal?.aborted) {
      this.#giveBack(session);
      return failed(cancelled(this.#host));
    }
    const seconds = timeoutMs / 1_000 + GUARD_SLACK_SECONDS;
    const end = session.run((marks) => runBlock(this.#tools, marks, script, stdin, seconds));
    const first = await firstOf(end, timeoutMs, signal);
    if (first === 'late' || first === 'aborted') {
      const isEnded = await this.#kill(session);
      if (!isEnded) return failed(connectionCutRefusal(this.#host));
      return failed(first === 'late' ? timedOut(timeoutMs, this.#host) : cancelled(this.#host));
    }
    switch (first.kind) {
      case 'cut':
        return failed(connectionCutRefusal(this.#host));
      case 'flood':
        await this.#kill(session);
        return failed(outputTooLarge(MAX_STDOUT_BYTES, this.#host));
      case 'done':
        this.#giveBack(session);
        return ok({ code: first.code, stdout: first.stdout, stderr: first.stderr });
    }
  }

  /** Kills a process group there; false when the outcome is unknown. Never waits for other scripts. */
  async killGroup(group: number): Promise<boolean> {
    if (this.#kills !== null) return this.#kills(group);
    const helper = this.#idle.pop() ?? (await this.#openOne());
    if (helper === null) return false;
    const end = await firstOf(
      helper.run((marks) => runBlock(this.#tools, marks, killScript(group), '', KILL_MS / 1_000)),
      KILL_MS,
      null,
    );
    if (end === 'late' || end === 'aborted' || end.kind !== 'done') {
      helper.close();
      return false;
    }
    this.#giveBack(helper);
    return true;
  }

  /** Closes idle shells, so that the server has room for other sessions. */
  makeRoom(): void {
    for (const session of this.#idle.slice(1)) session.close();
  }

  dispose(): void {
    this.#isOver = true;
    for (const session of [...this.#all]) session.close();
    for (const resolve of this.#waiting.splice(0)) resolve(null);
  }

  /** Kills the script of a session, and closes the session. */
  async #kill(session: ShellSession): Promise<boolean> {
    const group = await session.group(KILL_MS);
    const isEnded = group !== null && (await this.killGroup(group));
    session.close();
    return isEnded;
  }

  async #acquire(timeoutMs: number): Promise<ShellSession | 'busy' | null> {
    for (let session = this.#idle.pop(); session !== undefined; session = this.#idle.pop())
      if (!session.isOver) return this.#busy(session);
    if (this.#isOver) return null;
    if (this.#all.size + this.#opening < this.#maxShells) {
      const session = await this.#openOne();
      if (session !== null || this.#all.size === 0) return session;
    }
    return new Promise((resolve) => {
      const onSession = (session: ShellSession | null) => {
        clearTimeout(timer);
        resolve(session);
      };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((waiting) => waiting !== onSession);
        resolve('busy');
      }, timeoutMs);
      this.#waiting.push(onSession);
    });
  }

  async #openOne(): Promise<ShellSession | null> {
    this.#opening += 1;
    const opened = await this.#open();
    this.#opening -= 1;
    if (opened.ok && !this.#isOver) return this.#take(opened.value);
    if (!opened.ok) {
      // The server allows no more sessions: use the existing ones.
      if (opened.error.kind === 'full' && this.#all.size > 0) {
        this.#maxShells = this.#all.size;
        setTimeout(() => {
          this.#maxShells = MAX_SHELLS;
        }, FULL_MS).unref();
      }
      this.#onFailure(opened.error);
    }
    return null;
  }

  #take(shell: OpenShell): ShellSession {
    const session: ShellSession = new ShellSession(shell, () => {
      this.#all.delete(session);
      this.#busy(session);
      const at = this.#idle.indexOf(session);
      if (at >= 0) this.#idle.splice(at, 1);
      this.#serveNext();
    });
    this.#all.add(session);
    return session;
  }

  #busy(session: ShellSession): ShellSession {
    clearTimeout(this.#idleTimers.get(session));
    this.#idleTimers.delete(session);
    return session;
  }

  #giveBack(session: ShellSession): void {
    if (session.isOver) return;
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next(session);
      return;
    }
    this.#idle.push(session);
    const timer = setTimeout(() => {
      if (this.#all.size > 1) session.close();
    }, IDLE_MS);
    this.#idleTimers.set(session, timer.unref());
  }

  /** A shell is gone: a waiting caller gets another one, if one can be opened. */
  #serveNext(): void {
    if (this.#isOver || this.#waiting.length === 0) return;
    if (this.#all.size + this.#opening >= this.#maxShells) return;
    void this.#openOne().then((session) => {
      if (session !== null) this.#giveBack(session);
      else if (this.#all.size === 0) for (const resolve of this.#waiting.splice(0)) resolve(null);
    });
  }
}

/** Resolves with the first of: the script's end, the timeout, the request to stop. */
async function firstOf(
  end: Promise<SessionEnd>,
  timeoutMs: number,
  signal: AbortSignal | null,
): Promise<SessionEnd | 'late' | 'aborted'> {
  return new Promise((resolve) => {
    const finish = (first: SessionEnd | 'late' | 'aborted') => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(first);
    };
    const onAbort = () => finish('aborted');
    const timer = setTimeout(() => finish('late'), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    void end.then(finish);
  });
}
