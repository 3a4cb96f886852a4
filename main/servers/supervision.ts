import { LOCAL_MACHINE } from '../../preload/contract';
import type { Program } from './program';
import type { StartLimits } from './readiness';

/** Engines need some seconds to release their GPUs. */
export const STOP_GRACE_MS = 8_000;

export type SupervisionOptions = {
  /** How often a start is checked; null: by its kind and machine. */
  readonly checkEveryMs: number | null;
  /** Milliseconds from the process of a pocket or recorded server to its first answer. */
  readonly startTimeoutMs: number;
  /** Milliseconds that an engine may write nothing to its log while it starts: weights from a slow disk, a long compilation. */
  readonly quietMs: number;
  /** The same, once its log shows an error that engines do not recover from. */
  readonly hungMs: number;
  /** Milliseconds for one completion of a pocket or recorded server. */
  readonly requestTimeoutMs: number;
  /** The same for models that think: 40,000 tokens at 20 a second are half an hour. */
  readonly longRequestTimeoutMs: number;
  /** Pauses before each restart in a row; as many restarts as there are pauses. */
  readonly restartWaitsMs: readonly number[];
  /** A server that was ready so long starts again with the first pause. */
  readonly steadyMs: number;
  /** How long an external address may not answer before its requests fail. */
  readonly outsideTimeoutMs: number;
  /** How often an external address that does not answer is checked. */
  readonly outsideCheckMs: number;
};

export const DEFAULT_SUPERVISION: SupervisionOptions = {
  checkEveryMs: null,
  startTimeoutMs: 30_000,
  quietMs: 20 * 60_000,
  hungMs: 60_000,
  requestTimeoutMs: 600_000,
  longRequestTimeoutMs: 3_600_000,
  restartWaitsMs: [500, 1_000, 2_000, 4_000, 8_000, 30_000, 120_000],
  steadyMs: 60_000,
  outsideTimeoutMs: 300_000,
  outsideCheckMs: 2_000,
};

/** On this computer a check is a short script; over a connection it is also a round trip. */
const LOCAL_CHECK_MS = 150;
const REMOTE_CHECK_MS = 1_000;

/** Milliseconds for one completion. */
export function requestTimeoutOf(program: Program, options: SupervisionOptions): number {
  return program.serves.kind === 'own' ? options.requestTimeoutMs : options.longRequestTimeoutMs;
}

export function limitsOf(program: Program, options: SupervisionOptions): StartLimits {
  const checkEveryMs =
    options.checkEveryMs ??
    (program.machineId === LOCAL_MACHINE && program.serves.kind === 'own' ? LOCAL_CHECK_MS : REMOTE_CHECK_MS);
  if (program.serves.kind === 'own') {
    const totalMs = options.startTimeoutMs + program.latencyMs;
    return { checkEveryMs, totalMs, quietMs: totalMs, hungMs: totalMs };
  }
  return { checkEveryMs, totalMs: null, quietMs: options.quietMs, hungMs: options.hungMs };
}
