/** See `ScriptEnd`. */
export const MAX_STDOUT_BYTES = 16 * 1_048_576;
export const MAX_STDERR_BYTES = 65_536;
/** See `Machine.run`. */
export const RUN_TIMEOUT_MS = 60_000;
