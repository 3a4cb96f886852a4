import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { PythonPackage } from './python-packages';

/** Starts runners. */
export type Launcher = {
  readonly kind: LauncherKind;
  /** Version of the Python that runs the candidates, e.g. "3.11.2". */
  readonly python: string;
  /** What candidates can import beside the standard library. */
  readonly packages: readonly PythonPackage[];
  /** Processors of the machine it starts them on; left out for this computer. */
  readonly cores?: number;
  readonly launch: () => Promise<Launched>;
  readonly dispose: () => Promise<void>;
};

/**
 * `shared`: one sandbox serves many candidates, one after the other, kept apart by a filter of system calls and by
 * what the runner does between them (docs/sandbox.md).
 * `nested`: the same, each in namespaces of its own inside it, where there is no filter for this machine.
 * `single`: one sandbox for one candidate, where the system forbids namespaces inside a sandbox.
 * `bare`: the runner without a sandbox, by the user's explicit word.
 */
export type LauncherKind = 'shared' | 'nested' | 'single' | 'bare';

/** A runner as the grader speaks to it: a child of this process, or a process of another machine. */
export type RunnerChild = {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** It could not be started, or the way to it is broken; `onClose` comes as well. */
  readonly onError: (listener: (error: Error) => void) => void;
  /** Once, when it has ended and its output is read. Both null: nobody knows how. */
  readonly onClose: (listener: (code: number | null, signal: string | null) => void) => void;
};

export type Launched = {
  readonly process: RunnerChild;
  /** For the runner's limit on processes; see task-count.ts. */
  readonly processBase: number;
  /** Says that it is ready before each candidate, and not only before the first. */
  readonly isReadyEachTime: boolean;
  /**
   * Ends the process and all that it has started. Only once it has said something: bubblewrap, killed while it
   * sets up, can leave a child that waits for it for ever.
   */
  readonly stop: () => void;
  /** Removes what the process leaves; called when it has ended. */
  readonly tidy: () => Promise<void>;
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

/** A child without pipes is one that the system refused to start (too many processes or open files). */
export function started(child: ChildProcessWithoutNullStreams): ChildProcessWithoutNullStreams {
  child.on('error', () => undefined); // told to those who listen; without a listener it would end the app
  if (child.pid === undefined && !child.stdout)
    throw new Error('The system is out of processes or open files.');
  return child;
}

const START_MS = 20_000;

/** Starts one runner and ends it: null when it was ready, else what it said instead. */
export async function tryOnce(launch: Launcher['launch']): Promise<string | null> {
  let launched: Launched;
  try {
    launched = await launch();
  } catch (error) {
    return String(error);
  }
  const { process: child, stop, tidy } = launched;
  const trouble = await new Promise<string | null>((resolve) => {
    let said = '';
    let wasReady = false;
    const timer = setTimeout(stop, START_MS);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-1_000);
    });
    child.stdin.on('error', () => undefined);
    child.stdout.once('data', () => {
      wasReady = true;
      stop();
    });
    child.onClose(() => {
      clearTimeout(timer);
      resolve(wasReady ? null : said.trim() || 'It ended without a word.');
    });
  });
  await tidy();
  return trouble;
}
