import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Refusal } from '../../../preload/contract';
import { failed, ok, type Result } from '../../base';
import { masterArguments } from '../logic/ssh-arguments';
import { askingOf } from '../logic/ssh-prompt';
import { openTerminal, type Terminal } from '../terminal';
import type { SshSocket } from './shell';

/** How often it is looked whether the connection is served yet: nothing tells it. */
const LOOK_MS = 30;
/** Kept of what ssh writes; a greeting may be long. */
const TRANSCRIPT = 32_768;
/** A connection that is told to end has so long for it. */
const END_MS = 2_000;
/** What ssh said last and the news of its end race. */
const LAST_WORDS_MS = 60;
/** Without a word, a question or a connection for so long it is given up: a server that hangs after its greeting. */
const SILENCE_MS = 90_000;

/** What ssh is asking, and all that it wrote. */
export type Question = { readonly prompt: string; readonly shown: string };

type MasterEnd = { readonly transcript: string; readonly wasAsked: boolean; readonly hungUp: boolean };

/** The one connection to a host: a process of ssh in a pty, which asks there what it has to ask. */
export type SshMaster = {
  readonly terminal: Terminal;
  /** True when it serves others; false when it has ended before. */
  readonly isReady: Promise<boolean>;
  readonly ended: Promise<MasterEnd>;
  /** What it wrote since it was ready. */
  readonly transcript: () => string;
  /** Resolves when it is gone, with its socket. */
  readonly stop: () => Promise<void>;
};

/** `onQuestion` is told when ssh waits for the user, again when the question is another. */
export async function startMaster(
  socket: SshSocket,
  onQuestion: (terminal: Terminal, question: Question) => void,
): Promise<Result<SshMaster, Refusal>> {
  const opened = await openTerminal({
    shell: socket.ssh.program,
    args: masterArguments(socket.ssh, socket.path, socket.host),
    cwd: '/',
    // Questions come in this pty and nowhere else.
    env: { SSH_ASKPASS_REQUIRE: 'never' },
    columns: 100,
    rows: 30,
  });
  if (!opened.ok) return failed(opened.error);
  const terminal = opened.value;
  let [transcript, wasAsked, hungUp, isReady, isOver] = ['', false, false, false, false];
  let asking: NodeJS.Timeout | undefined;
  let silence: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;

  const hangUp = () => {
    if (isOver) return;
    signal(terminal.pid, 'SIGTERM');
    setTimeout(() => !isOver && signal(terminal.pid, 'SIGKILL'), END_MS).unref();
  };
  const waitForQuestion = () => {
    clearTimeout(asking);
    clearTimeout(silence);
    if (isReady || isOver) return;
    if (!wasAsked)
      silence = setTimeout(() => {
        hungUp = true;
        hangUp();
      }, SILENCE_MS);
    const question = askingOf(transcript);
    if (question === null) return;
    asking = setTimeout(() => {
      wasAsked = true;
      clearTimeout(silence);
      onQuestion(terminal, { prompt: question.prompt, shown: transcript });
    }, question.afterMs);
  };
  const settled = () => {
    clearTimeout(asking);
    clearTimeout(silence);
    clearTimeout(looking);
  };
  terminal.onData((text) => {
    // Whoever shows it acknowledges too; it is little, and must not stop.
    terminal.acknowledge(text.length);
    transcript = (transcript + text).slice(-TRANSCRIPT);
    waitForQuestion();
  });
  const ended = new Promise<MasterEnd>((resolve) => {
    void terminal.gone.then(async () => {
      isOver = true;
      settled();
      await removeSockets(socket.path);
      await pause(LAST_WORDS_MS);
      resolve({ transcript, wasAsked, hungUp });
    });
  });
  waitForQuestion();
  const ready = new Promise<boolean>((resolve) => {
    const look = async () => {
      if (isOver) return;
      // ssh puts it there in one step once it listens, and that is after the login.
      if (await exists(socket.path)) {
        isReady = true;
        settled();
        [transcript, wasAsked] = ['', false];
        resolve(true);
      } else looking = setTimeout(() => void look(), LOOK_MS);
    };
    void look();
    void ended.then(() => resolve(false));
  });
  return ok({
    terminal,
    isReady: ready,
    ended,
    transcript: () => transcript,
    stop: async () => {
      hangUp();
      await ended;
    },
  });
}

/** ssh leaves its own where it was killed, and those of forwards always; they begin with the same name. */
async function removeSockets(path: string): Promise<void> {
  const names = await readdir(dirname(path)).catch(() => []);
  const ours = names.filter((name) => name === basename(path) || name.startsWith(`${basename(path)}-`));
  await Promise.all(
    ours.map((name) => rm(join(dirname(path), name), { force: true }).catch(() => undefined)),
  );
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone.
  }
}
