import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { PythonChoice } from './logic/choose-python';
import type { PythonPackage } from './python-packages';

/** "nobody": as root, sandboxes run as this user, because the kernel exempts root from the limit on processes. */
export const NOBODY = 65_534;

/** Starts runners. */
export type Launcher = {
  readonly kind: LauncherKind;
  /** Version of the Python that runs the candidates, e.g. "3.11.2". */
  readonly python: string;
  /** Which Python that is, and why this one. */
  readonly choice: PythonChoice;
  /** Packages that candidates can import besides the standard library. */
  readonly packages: readonly PythonPackage[];
  /** Processors of the machine that the runners run on; left out for this computer. */
  readonly cores?: number;
  readonly launch: () => Promise<LaunchedRunner>;
  readonly dispose: () => Promise<void>;
};

/**
 * `shared`: one sandbox serves many candidates in turn, isolated by a filter of system calls and by the clean-up that the
 * runner does between them (docs/sandbox.md).
 * `nested`: the same with new namespaces for each candidate, where there is no filter for this machine.
 * `single`: a new sandbox for each candidate, where the system forbids namespaces inside a sandbox.
 * `bare`: the runner without a sandbox, with the user's explicit permission.
 */
export type LauncherKind = 'shared' | 'nested' | 'single' | 'bare';

/** A runner as the grader speaks to it: a child of this process, or a process of another machine. */
export type RunnerChild = {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** It could not be started, or the connection to it broke; `onClose` follows. */
  readonly onError: (listener: (error: Error) => void) => void;
  /** Emitted once, when it has ended and its output is read. Both null: the exit status is unknown. */
  readonly onClose: (listener: (code: number | null, signal: string | null) => void) => void;
};

export type LaunchedRunner = {
  readonly process: RunnerChild;
  /** For the runner's limit on processes; see task-count.ts. */
  readonly processBase: number;
  /** It sends `ready` before each candidate, not only before the first. */
  readonly isReadyEachTime: boolean;
  /**
   * Ends the process and all its descendants. Call only after its first output: bubblewrap, if killed during its set-up,
   * can leave a child that waits for ever.
   */
  readonly stop: () => void;
  /** Removes the process's files; called when it has ended. */
  readonly cleanUp: () => Promise<void>;
};

/** A child of this process as a runner. */
export function asRunner(child: ChildProcessWithoutNullStreams): RunnerChild {
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    onError: (listener) => void child.once('error', listener),
    onClose: (listener) => void child.once('close', listener),
  };
}

/** Throws if the child has no pipes: the system refused to start it (too many processes or open files). */
export function requirePipes(child: ChildProcessWithoutNullStreams): ChildProcessWithoutNullStreams {
  child.on('error', () => undefined); // reported by `onError`; without a listener it would end the app
  if (child.pid === undefined && !child.stdout)
    throw new Error('The system is out of processes or open files.');
  return child;
}

const START_MS = 20_000;

/** Starts one runner and ends it: null when it was ready, else its error output. */
export async function probeLaunch(launch: Launcher['launch']): Promise<string | null> {
  let launched: LaunchedRunner;
  try {
    launched = await launch();
  } catch (error) {
    return String(error);
  }
  const { process: child, stop, cleanUp: tidy } = launched;
  const problem = await new Promise<string | null>((resolve) => {
    let stderr = '';
    let wasReady = false;
    const timer = setTimeout(stop, START_MS);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-1_000);
    });
    child.stdin.on('error', () => undefined);
    child.stdout.once('data', () => {
      wasReady = true;
      stop();
    });
    child.onClose(() => {
      clearTimeout(timer);
      resolve(wasReady ? null : stderr.trim() || 'It ended without an error message.');
    });
  });
  await tidy();
  return problem;
}
