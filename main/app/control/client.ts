import { randomUUID } from 'node:crypto';
import { createConnection } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Answer, Refusal, WorkbenchEvent } from '../../../preload/contract/index';
import { Emitter, failed, ok, type Result } from '../../base/index';
import type { CommandHost } from '../dispatch';
import {
  CONTROL_PROTOCOL,
  type Hello,
  type LineLimits,
  readLines,
  send,
  type Welcome,
  welcomeSchema,
} from './frames';
import {
  closedDuringCommand,
  INVALID_ANSWER,
  NO_ANSWER,
  type NoConnection,
  otherVersion,
  unreachable,
} from './no-connection';
import type { ControlTarget } from './server';

/** A workbench of another process. */
export type ControlClient = ControlTarget & {
  /** Of the latest connection. */
  readonly about: () => Welcome;
  readonly isConnected: () => boolean;
  /** The connection was cut or is back. `isBehind`: events were lost meanwhile, so what is shown has to be asked for again. */
  readonly onConnection: Emitter<{ readonly isConnected: boolean; readonly isBehind: boolean }>;
  readonly close: () => Promise<void>;
};

/** Opens the connection to a workbench; null if none answers there. */
export type OpenStream = () => Promise<Duplex | null>;

/** Between attempts to connect again. */
const AGAIN_MS = [100, 250, 500, 1_000, 2_000, 5_000];
/** A request waits for so long for a connection that is cut; then it is answered with a refusal. */
const WAIT_MS = 30_000;
/** A program that keeps both cores busy may delay a window for so long. */
const GREETING_MS = 30_000;
/**
 * A service that restarts sooner than this, again and again, is reconnected after longer and longer pauses: each
 * reconnection loads everything.
 */
const STEADY_MS = 5_000;

type Request = {
  readonly line: {
    readonly id: number;
    readonly name: string;
    readonly payload: unknown;
    readonly host: CommandHost;
  };
  readonly resolve: (answer: Answer<unknown>) => void;
  /** Of the workbench that it was sent to; null: it waits for a connection. */
  sentTo: string | null;
};

function sendRequest(to: Duplex, request: Request, epoch: string): void {
  request.sentTo = epoch;
  send(to, request.line);
}

/** Requests without an answer yet. */
class Requests {
  readonly #waiting = new Map<number, Request>();
  #lastId = 0;

  add(line: Omit<Request['line'], 'id'>, resolve: Request['resolve']): Request {
    this.#lastId += 1;
    const request: Request = { line: { id: this.#lastId, ...line }, resolve, sentTo: null };
    this.#waiting.set(this.#lastId, request);
    return request;
  }

  has(id: number): boolean {
    return this.#waiting.has(id);
  }

  all(): Request[] {
    return [...this.#waiting.values()];
  }

  answer(id: number, answer: Answer<unknown>): void {
    const request = this.#waiting.get(id);
    this.#waiting.delete(id);
    request?.resolve(answer);
  }

  answerAll(answer: Answer<never>): void {
    for (const { line } of this.all()) this.answer(line.id, answer);
  }
}

/** The workbench that answers at the socket `path`; null when none does. Its end ends what is asked. */
export async function connectControlSocket(
  path: string,
): Promise<Result<ControlClient, NoConnection> | null> {
  return connectControl(() => openSocket(path), { isKept: false });
}

export function openSocket(path: string): Promise<Duplex | null> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(null));
  });
}

/**
 * Connects to a workbench. null: none answers. `isKept`: a cut connection is opened again, and requests wait meanwhile;
 * one that sends anything but lines of ours within `limits` is closed permanently.
 */
export async function connectControl(
  open: OpenStream,
  { isKept, limits }: { readonly isKept: boolean; readonly limits?: LineLimits },
): Promise<Result<ControlClient, NoConnection> | null> {
  const events = new Emitter<WorkbenchEvent>();
  const onConnection: ControlClient['onConnection'] = new Emitter();
  const requests = new Requests();
  const session = randomUUID();
  let last: Hello['last'] = null;
  let stream: Duplex | null = null;
  let about: Welcome;
  let isClosed = false;
  /** Since a connection lasted. */
  let attempts = 0;
  let connectedMs = 0;
  let wasBehind = false;
  /** Runs out when requests have waited for long enough; null: connected. */
  let cut: { readonly timer: NodeJS.Timeout; isOver: boolean } | null = null;

  const onLine = (line: Readonly<Record<string, unknown>>, from: Duplex): void => {
    if (typeof line.sequence === 'number') {
      last = { epoch: about.epoch, sequence: line.sequence };
      events.emit(line.event as WorkbenchEvent);
      return;
    }
    if (typeof line.id !== 'number' || !requests.has(line.id)) return;
    send(from, { got: line.id });
    requests.answer(line.id, line.answer as Answer<unknown>);
  };
  const endWait = (now: { isOver: boolean }): void => {
    now.isOver = true;
    requests.answerAll(unreachable());
  };
  const onCut = (): void => {
    stream = null;
    if (!isKept) isClosed = true;
    if (isClosed) {
      requests.answerAll(closedDuringCommand());
      return;
    }
    if (!wasBehind || performance.now() - connectedMs > STEADY_MS) attempts = 0;
    const now = { timer: setTimeout(() => endWait(now), WAIT_MS).unref(), isOver: false };
    cut = now;
    onConnection.emit({ isConnected: false, isBehind: false });
    void connectAgain();
  };

  const endFor = (error: Refusal): void => {
    isClosed = true;
    requests.answerAll({ ok: false, error });
    onConnection.emit({ isConnected: false, isBehind: false });
    events.emit(noticeOf(error));
  };
  const onWelcome = (opened: Duplex, welcome: Welcome): void => {
    about = welcome;
    const { epoch, sequence, isBehind, known } = welcome;
    last = { epoch, sequence };
    stream = opened;
    connectedMs = performance.now();
    wasBehind = isBehind;
    opened.once('close', onCut);
    if (cut !== null) clearTimeout(cut.timer);
    cut = null;
    for (const request of requests.all()) {
      if (known.includes(request.line.id)) continue;
      // A workbench that has ended since may have done it: to ask the next one would do it twice.
      if (request.sentTo === null || request.sentTo === epoch) sendRequest(opened, request, epoch);
      else requests.answer(request.line.id, unreachable());
    }
    onConnection.emit({ isConnected: true, isBehind });
  };
  const connect = async (): Promise<Result<null, NoConnection> | null> => {
    const opened = await open();
    if (opened === null) return null;
    opened.on('error', () => opened.destroy());
    const hello: Hello = {
      ...{ protocol: CONTROL_PROTOCOL, session, isKept, last },
      waiting: requests.all().map(({ line }) => line.id),
    };
    send(opened, { hello });
    const answer = await waitForWelcome(opened, {
      ...(limits === undefined ? {} : { limits }),
      onWelcome: (welcome) => onWelcome(opened, welcome),
      onLine: (line) => onLine(line, opened),
      onInvalidData: () => endFor(INVALID_ANSWER),
    });
    if (answer?.ok !== true) opened.destroy();
    return answer;
  };
  const connectAgain = async (): Promise<void> => {
    while (!isClosed) {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS[attempts] ?? AGAIN_MS.at(-1)).unref());
      attempts += 1;
      const again = isClosed ? null : await connect();
      if (again?.ok === true) return;
      if (again?.ok === false && again.error.by !== undefined) endFor(again.error);
    }
  };

  const first = await connect();
  if (first === null || !first.ok) return first;
  return ok({
    events,
    onConnection,
    about: () => about,
    isConnected: () => stream !== null,
    call: (name, payload, host) =>
      new Promise((resolve) => {
        if (isClosed) return resolve(closedDuringCommand());
        if (cut?.isOver) return resolve(unreachable());
        const request = requests.add({ name, payload, host }, resolve);
        if (stream !== null) sendRequest(stream, request, about.epoch);
      }),
    close: async () => {
      isClosed = true;
      stream?.destroy();
      if (cut !== null) clearTimeout(cut.timer);
      requests.answerAll(closedDuringCommand());
    },
  });
}

/**
 * Waits for the welcome of a workbench; the lines behind it go to `onLine`, after `onWelcome`. null: it hung up without a
 * word, as one does that is closing.
 */
function waitForWelcome(
  stream: Duplex,
  behind: {
    readonly limits?: LineLimits;
    readonly onWelcome: (welcome: Welcome) => void;
    readonly onLine: (line: Readonly<Record<string, unknown>>) => void;
    /** Behind the welcome. */
    readonly onInvalidData: () => void;
  },
): Promise<Result<null, NoConnection> | null> {
  return new Promise((resolve) => {
    let isWelcome = false;
    const settle = (answer: Result<null, NoConnection> | null): void => {
      clearTimeout(timeout);
      resolve(answer);
    };
    const timeout = setTimeout(() => settle(failed(NO_ANSWER)), GREETING_MS);
    stream.once('close', () => settle(null));
    const onLine = (line: Readonly<Record<string, unknown>>): void => {
      const welcome = isWelcome ? null : welcomeSchema.safeParse(line.welcome);
      if (welcome === null) behind.onLine(line);
      else if (welcome.success) {
        isWelcome = true;
        behind.onWelcome(welcome.data);
        settle(ok(null));
      } else settle(failed(otherVersion(line.refused)));
    };
    readLines(stream, onLine, {
      ...(behind.limits === undefined ? {} : { limits: behind.limits }),
      onInvalidData: () => (isWelcome ? behind.onInvalidData() : settle(failed(INVALID_ANSWER))),
    });
  });
}

const noticeOf = ({ message, hint }: Refusal): WorkbenchEvent => ({
  ...{ kind: 'notice', level: 'error' },
  message: hint === undefined ? message : `${message} ${hint}`,
});
