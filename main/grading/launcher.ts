import type { ChildProcessWithoutNullStreams } from 'node:child_process';

/** Starts runners. */
export type Launcher = {
  readonly kind: LauncherKind;
  /** Version of the Python that runs the candidates, e.g. "3.11.2". */
  readonly python: string;
  readonly launch: () => Promise<Launched>;
  readonly dispose: () => Promise<void>;
};

/**
 * `nested`: one sandbox serves many candidates, one after the other, each in namespaces of its own inside it.
 * `single`: one sandbox for one candidate, where the system forbids namespaces inside a sandbox.
 * `bare`: the runner without a sandbox, by the user's explicit word.
 */
export type LauncherKind = 'nested' | 'single' | 'bare';

export type Launched = {
  readonly process: ChildProcessWithoutNullStreams;
  /** For the runner's limit on processes; see task-count.ts. */
  readonly processBase: number;
  /**
   * Ends the process and all that it has started. Only once it has said something: bubblewrap, killed while it
   * sets up, can leave a child that waits for it for ever.
   */
  readonly stop: () => void;
  /** Removes what the process leaves; called when it has ended. */
  readonly tidy: () => Promise<void>;
};

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
    child.once('close', () => {
      clearTimeout(timer);
      resolve(wasReady ? null : said.trim() || 'It ended without a word.');
    });
  });
  await tidy();
  return trouble;
}
