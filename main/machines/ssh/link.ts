import type { Connection } from '../../../preload/contract';
import { type Disposable, Emitter, failed, ok } from '../../base';
import {
  connectionCut,
  connectionLost,
  hostHungUp,
  loginTimedOut,
  noShell,
  notConnected,
  retryWaitMs,
} from '../logic/ssh-failures';
import { type SshProblem, sshProblem } from '../logic/ssh-problem';
import type { AsyncResult } from '../machine';
import type { Terminal } from '../terminal';
import { type Question, type SshMaster, startMaster } from './master';
import { beginSession, type SshSession } from './session';
import type { SshSocket } from './shell';

/** How long a call waits for a connection that is being made. */
const CONNECT_TIMEOUT_MS = 30_000;
/** How long a call waits for a connection that was cut and will be retried. */
const RECONNECT_TIMEOUT_MS = 10_000;
const RETRY_SOON_MS = 3_000;
/** After sleep, a connection has so long to answer a heartbeat. */
const AWAKE_MS = 4_000;
const FINAL_OUTPUT_MS = 300;
/**
 * A login that took longer was ended by the server (LoginGraceTime, usually 2 minutes): the user is present and may
 * retry.
 */
const STALE_LOGIN_MS = 60_000;

type SshLinkOptions = {
  readonly socket: SshSocket;
  readonly now: () => number;
  /** Time between heartbeats. */
  readonly beatMs: number;
  readonly offerLogin: (
    terminal: Terminal,
    question: Question,
  ) => Disposable & { readonly terminalId: string };
};

/** The connection to one host: opened on demand, reused, and reopened when it breaks. */
export class SshLink {
  readonly #socket: SshSocket;
  readonly #now: () => number;
  readonly #beatMs: number;
  readonly #offerLogin: SshLinkOptions['offerLogin'];
  readonly #changed = new Emitter<void>();
  #state: Connection = { kind: 'off' };
  #master: SshMaster | null = null;
  #session: SshSession | null = null;
  #offer: (Disposable & { readonly terminalId: string }) | null = null;
  /** Counts the attempts: results of earlier ones are ignored. */
  #attempt = 0;
  #isConnecting = false;
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;
  #lastSeenMs: number | null = null;
  #stopping: Promise<unknown> = Promise.resolve();
  #isOver = false;

  constructor({ socket, now, beatMs, offerLogin }: SshLinkOptions) {
    this.#beatMs = beatMs;
    this.#socket = socket;
    this.#now = now;
    this.#offerLogin = offerLogin;
  }

  get connection(): Connection {
    return this.#state;
  }

  /** True once it will never be connected again. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The open session; null while there is none. */
  get session(): SshSession | null {
    return this.#session;
  }

  /** ssh's output since the login. */
  transcript(): string {
    return this.#master?.transcript() ?? '';
  }

  onChange(listener: () => void): Disposable {
    return this.#changed.on(listener);
  }

  /** Connects now, unless it is connected or connecting. */
  connect(): void {
    if (this.#session !== null || this.#isOver) return;
    if (this.#isConnecting) {
      if (this.#state.kind === 'unreachable') this.#setState({ kind: 'connecting', since: this.#iso() });
      return;
    }
    this.#failures = 0;
    this.#setState({ kind: 'connecting', since: this.#iso() });
    void this.#connect(); // It reports by its state and never rejects.
  }

  disconnect(): void {
    this.#drop();
    this.#setState({ kind: 'off' });
  }

  /** Resolves when everything is closed. */
  async dispose(): Promise<void> {
    this.#isOver = true;
    this.disconnect();
    await this.#stopping;
  }

  /** After sleep: checks whether the connection is still alive. */
  async wake(): Promise<void> {
    if (this.#state.kind === 'unreachable' && this.#state.nextTryAt !== null) {
      if (!this.#isConnecting) void this.#connect(); // It reports by its state and never rejects.
      return;
    }
    const session = this.#session;
    if (session === null) return;
    const isAlive = await session.isAlive(AWAKE_MS);
    if (!isAlive && session === this.#session) this.#lost(connectionLost(this.#socket.host));
  }

  /** The host has answered something. */
  markSeen(): void {
    this.#lastSeenMs = this.#now();
  }

  /** Waits for the connection while one may come soon. */
  async opened(): AsyncResult<SshSession> {
    if (this.#state.kind === 'off') this.connect();
    const timeoutMs = this.#state.kind === 'unreachable' ? RECONNECT_TIMEOUT_MS : CONNECT_TIMEOUT_MS;
    const endMs = this.#now() + timeoutMs;
    for (;;) {
      if (this.#session !== null) return ok(this.#session);
      const leftMs = endMs - this.#now();
      if (!this.#isSoon() || leftMs <= 0)
        return failed(notConnected(this.#socket.host, this.#state, this.#isOver));
      await this.#nextChange(leftMs);
    }
  }

  #isSoon(): boolean {
    if (this.#state.kind === 'connecting') return true;
    if (this.#state.kind !== 'unreachable') return false;
    const { nextTryAt } = this.#state;
    return this.#isConnecting || (nextTryAt !== null && Date.parse(nextTryAt) - this.#now() <= RETRY_SOON_MS);
  }

  #nextChange(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        subscription.dispose();
        resolve();
      };
      const timer = setTimeout(finish, timeoutMs);
      const subscription = this.#changed.on(finish);
    });
  }

  async #connect(): Promise<void> {
    clearTimeout(this.#retry);
    this.#attempt += 1;
    const attempt = this.#attempt;
    const isCurrent = () => attempt === this.#attempt;
    this.#isConnecting = true;
    const startMs = this.#now();
    // Every attempt uses the same socket path.
    await this.#stopping;
    if (!isCurrent()) return;
    const started = await startMaster(this.#socket, (terminal, question) => {
      if (isCurrent()) this.#showLogin(terminal, question);
    });
    if (!started.ok) {
      if (isCurrent()) this.#lost({ message: started.error.message, worthRetrying: false });
      return;
    }
    const master = started.value;
    if (!isCurrent()) return this.#stop(master);
    this.#master = master;
    const isReady = await master.isReady;
    if (!isCurrent()) return;
    if (!isReady) {
      const end = await master.ended;
      if (!isCurrent()) return;
      if (end.hadPrompt && this.#now() - startMs > STALE_LOGIN_MS && hostHungUp(end.transcript)) {
        this.#drop();
        return this.connect();
      }
      const { host } = this.#socket;
      this.#lost(end.hungUp ? loginTimedOut(host) : sshProblem(host, end.transcript, end.hadPrompt));
      return;
    }
    this.#endOffer();
    if (this.#state.kind === 'needs-login') this.#setState({ kind: 'connecting', since: this.#iso() });
    void master.ended.then(({ transcript }) => {
      if (isCurrent()) this.#lost(connectionCut(this.#socket.host, transcript));
    });
    const session = await beginSession(this.#socket, this.#beatMs, () => {
      // Where ssh itself has ended, it writes the reason a moment later.
      setTimeout(() => isCurrent() && this.#lost(connectionLost(this.#socket.host)), FINAL_OUTPUT_MS);
    });
    if (!isCurrent()) {
      if (session.ok) session.value.dispose();
      return;
    }
    if (!session.ok) {
      this.#lost(noShell(this.#socket.host, session.error));
      return;
    }
    this.#isConnecting = false;
    this.#failures = 0;
    this.#session = session.value;
    this.markSeen();
    this.#setState({ kind: 'connected', since: this.#iso() });
  }

  #showLogin(terminal: Terminal, question: Question): void {
    this.#offer ??= this.#offerLogin(terminal, question);
    const { terminalId } = this.#offer;
    // A second prompt is one of the same login: it keeps its place among the logins that wait.
    const since = this.#state.kind === 'needs-login' ? this.#state.since : this.#iso();
    const { prompt, hostKey } = question;
    this.#setState({ kind: 'needs-login', since, terminalId, prompt, ...(hostKey && { hostKey }) });
  }

  /** The connection is gone or could not be made. */
  #lost(problem: SshProblem): void {
    const wasUnreachable = this.#state.kind === 'unreachable' ? this.#state.since : null;
    this.#drop();
    this.#failures += 1;
    const waitMs = retryWaitMs(this.#failures);
    if (problem.worthRetrying) this.#retry = setTimeout(() => void this.#connect(), waitMs).unref();
    this.#setState({
      kind: 'unreachable',
      since: wasUnreachable ?? this.#iso(),
      lastSeenAt: this.#lastSeenMs === null ? null : iso(this.#lastSeenMs),
      message: problem.message,
      ...(problem.hint === undefined ? {} : { hint: problem.hint }),
      nextTryAt: problem.worthRetrying ? iso(this.#now() + waitMs) : null,
      ...(problem.refusal === undefined ? {} : { refusal: problem.refusal }),
    });
  }

  /** Closes everything that is open. */
  #drop(): void {
    this.#attempt += 1;
    this.#isConnecting = false;
    clearTimeout(this.#retry);
    this.#endOffer();
    this.#session?.dispose();
    this.#session = null;
    if (this.#master !== null) this.#stop(this.#master);
    this.#master = null;
  }

  #stop(master: SshMaster): void {
    const before = this.#stopping;
    this.#stopping = Promise.all([before, master.stop()]);
  }

  #endOffer(): void {
    this.#offer?.dispose();
    this.#offer = null;
  }

  #setState(state: Connection): void {
    this.#state = state;
    this.#changed.emit();
  }

  #iso(): string {
    return iso(this.#now());
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
