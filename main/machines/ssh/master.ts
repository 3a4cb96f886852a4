import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Refusal } from '../../../preload/contract';
import { failed, ok, type Result } from '../../base';
import { masterArguments } from '../logic/ssh-arguments';
import { type Prompt, promptIn } from '../logic/ssh-prompt';
import { openTerminal, type Terminal } from '../terminal';
import type { SshSocket } from './shell';

/** How often to check whether the control socket exists: nothing announces it. */
const CHECK_MS = 30;
/** Characters of ssh's output that are stored; a greeting may be long. */
const TRANSCRIPT = 32_768;
/** How long a connection may take to end before it is killed. */
const END_MS = 2_000;
/** ssh's last output and its exit arrive in any order. */
const FINAL_OUTPUT_MS = 60;
/** Gives up after so long without output, prompt or connection: a server that hangs after its greeting. */
const SILENCE_MS = 90_000;

/** The prompt of ssh, and everything that it wrote. */
export type Question = Prompt & { readonly shown: string };

type MasterEnd = { readonly transcript: string; readonly hadPrompt: boolean; readonly hungUp: boolean };

/** The one connection to a host (ssh's ControlMaster): a process in a pty, where it may prompt the user. */
export type SshMaster = {
  readonly terminal: Terminal;
  /** True when it serves other sessions; false when it ended before. */
  readonly isReady: Promise<boolean>;
  readonly ended: Promise<MasterEnd>;
  /** Its output since it was ready. */
  readonly transcript: () => string;
  /** Resolves when the process and its socket are gone. */
  readonly stop: () => Promise<void>;
};

/** Calls `onPrompt` when ssh waits for the user, and again for another prompt. */
export async function startMaster(
  socket: SshSocket,
  onPrompt: (terminal: Terminal, question: Question) => void,
): Promise<Result<SshMaster, Refusal>> {
  const opened = await openTerminal({
    shell: socket.ssh.program,
    args: masterArguments(socket.ssh, socket.path, socket.host),
    cwd: '/',
    // Prompts come only in this pty.
    env: { SSH_ASKPASS_REQUIRE: 'never' },
    columns: 100,
    rows: 30,
  });
  if (!opened.ok) return failed(opened.error);
  const terminal = opened.value;
  let [transcript, hadPrompt, hungUp, isReady, isOver] = ['', false, false, false, false];
  let promptTimer: NodeJS.Timeout | undefined;
  let quietTimer: NodeJS.Timeout | undefined;
  let checkTimer: NodeJS.Timeout | undefined;

  const hangUp = () => {
    if (isOver) return;
    signal(terminal.pid, 'SIGTERM');
    setTimeout(() => !isOver && signal(terminal.pid, 'SIGKILL'), END_MS).unref();
  };
  const waitForQuestion = () => {
    clearTimeout(promptTimer);
    clearTimeout(quietTimer);
    if (isReady || isOver) return;
    if (!hadPrompt)
      quietTimer = setTimeout(() => {
        hungUp = true;
        hangUp();
      }, SILENCE_MS);
    const possible = promptIn(transcript);
    if (possible === null) return;
    const { afterMs, ...prompt } = possible;
    promptTimer = setTimeout(() => {
      hadPrompt = true;
      clearTimeout(quietTimer);
      onPrompt(terminal, { ...prompt, shown: transcript });
    }, afterMs);
  };
  const clearTimers = () => {
    clearTimeout(promptTimer);
    clearTimeout(quietTimer);
    clearTimeout(checkTimer);
  };
  terminal.onData((text) => {
    // A window that shows it acknowledges as well; the output is short and must not pause.
    terminal.acknowledge(text.length);
    transcript = (transcript + text).slice(-TRANSCRIPT);
    waitForQuestion();
  });
  const ended = new Promise<MasterEnd>((resolve) => {
    void terminal.gone.then(async () => {
      isOver = true;
      clearTimers();
      await removeSockets(socket.path);
      await pause(FINAL_OUTPUT_MS);
      resolve({ transcript, hadPrompt, hungUp });
    });
  });
  waitForQuestion();
  const ready = new Promise<boolean>((resolve) => {
    const check = async () => {
      if (isOver) return;
      // ssh creates it in one step once it listens, which is after the login.
      if (await exists(socket.path)) {
        isReady = true;
        clearTimers();
        [transcript, hadPrompt] = ['', false];
        resolve(true);
      } else checkTimer = setTimeout(() => void check(), CHECK_MS);
    };
    void check();
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

/** A killed ssh leaves its own socket behind, and always those of forwards; their names begin alike. */
async function removeSockets(path: string): Promise<void> {
  // A folder that cannot be read, or a file that cannot be removed, leaves only unused names behind.
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
    // The process has already ended.
  }
}
