/** The runner's report on one test: what came out, never whether it is right. */
export type RunnerReport = {
  readonly end:
    | 'finished'
    | 'no-json' // a call returned a value that JSON cannot represent; `output` shows it
    | 'error'
    | 'time'
    | 'memory'
    | 'output'
    | 'fault'; // the system refused something to the runner itself
  /** stdout of a stdin test, JSON text of a call's value; cut when the end is not `finished`. */
  readonly output: string | null;
  readonly error: string | null;
  readonly cpuMs: number;
  readonly wallMs: number;
};
