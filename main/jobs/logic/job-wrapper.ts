/**
 * The shell program around every job: `sh -c JOB_WRAPPER mars2-job FOLDER COMMAND ARGS...`. It appends the output
 * to the file itself, so no pipe of ours can slow the job or break; names its process; and writes the exit code,
 * so that an end is known even when nobody was there to see it. It holds TERM and INT off itself but hands the
 * default on to the command (a caught signal is reset in a child), so after a stop there is still an exit code.
 * Only what every POSIX shell has.
 */
export const JOB_WRAPPER = `
folder=$1
shift
umask 077
exec </dev/null >>"$folder/output.log" 2>&1 || exit 125
trap : HUP INT TERM
{
  echo "$$"
  cat /proc/sys/kernel/random/boot_id 2>/dev/null || echo unknown
  cat "/proc/$$/stat" 2>/dev/null || LC_ALL=C TZ=UTC ps -o lstart= -p "$$"
} >"$folder/process.tmp" && mv "$folder/process.tmp" "$folder/process.txt" || exit 125
"$@"
code=$?
printf '{"code":%d,"endedAt":"%s"}\\n' "$code" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" >"$folder/exit.tmp" &&
  mv "$folder/exit.tmp" "$folder/exit.json"
exit "$code"
`;

export type JobProcess = {
  /** Of the wrapper: leader of the job's session and group. */
  readonly pid: number;
  readonly bootId: string;
  /** The raw third line: /proc/PID/stat, or the start time that `ps` printed. */
  readonly startLine: string;
};

/** Reads what the wrapper wrote about itself; null when it is not that. */
export function parseProcessFile(text: string): JobProcess | null {
  const [pidText, bootId, startLine] = text.split('\n');
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 1 || bootId === undefined || startLine === undefined) return null;
  return { pid, bootId, startLine: startLine.trim() };
}
