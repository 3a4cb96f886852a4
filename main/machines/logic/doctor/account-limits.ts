import { bad, type Finding, good, type ScriptCheck, sizeText, unknown, valuesIn, warning } from './finding';

/** A model server has a connection per request and hundreds of weight files; Ray needs this many too. */
const MIN_FILES = 4_096;
const MIN_PROCESSES = 4_096;
/** A core dump beyond this is no longer a small file. */
const CORE_BYTES = 4 * 1_073_741_824;

/** The limits of a process that sshd started for this account, and of the control groups it is in. */
export const limitsCheck: ScriptCheck = {
  id: 'limits',
  title: 'Limits of the account',
  seconds: 15,
  script: `
cat /proc/self/limits 2>/dev/null || echo "Max open files            $(ulimit -n)  $(ulimit -Hn)  files"
group=$(sed -n 's/^0:://p' /proc/self/cgroup 2>/dev/null)
while [ -n "$group" ] && [ "$group" != / ]; do
  [ -r "/sys/fs/cgroup$group/memory.max" ] && echo "memory=$(cat "/sys/fs/cgroup$group/memory.max")"
  [ -r "/sys/fs/cgroup$group/pids.max" ] && echo "tasks=$(cat "/sys/fs/cgroup$group/pids.max")"
  group=\${group%/*}
done
echo "core=$(head -c 1 /proc/sys/kernel/core_pattern 2>/dev/null)"
exit 0
`,
  judge: ({ stdout }) => judgeLimits(stdout),
};

function judgeLimits(text: string): Finding {
  const files = limitOf(text, 'Max open files');
  const processes = limitOf(text, 'Max processes');
  const space = limitOf(text, 'Max address space');
  if (files === null) return unknown('The machine does not report its limits.');
  const bounds = [...text.matchAll(/^memory=(\d+)$/gm)].map(([, bytes]) => Number(bytes) / 1_024);
  const tasks = [...text.matchAll(/^tasks=(\d+)$/gm)].map(([, count]) => Number(count));
  const memoryKib = Math.min(...bounds, space === null ? Number.POSITIVE_INFINITY : space.soft / 1_024);
  const many = Math.min(processes?.soft ?? Number.POSITIVE_INFINITY, ...tasks);

  const limits = [
    `open files ${countText(files.soft)}`,
    `processes ${countText(many)}`,
    `memory ${Number.isFinite(memoryKib) ? sizeText(memoryKib) : 'unlimited'}`,
  ];
  const summary = `${limits.join(', ')}.`;
  if (many < 256)
    return bad(
      `Limits: ${summary}`,
      'Ask for more processes: `ulimit -u`, /etc/security/limits.conf, or the TasksMax of user slices.',
    );
  if (files.soft < MIN_FILES) {
    const canRaise = files.hard >= MIN_FILES;
    return warning(
      `Limits: ${summary} A model server under load runs out of open files.`,
      canRaise
        ? `Add \`ulimit -n ${Math.min(files.hard, 65_536)}\` to the set-up of the job.`
        : 'Ask an administrator to raise "nofile" in /etc/security/limits.conf.',
    );
  }
  if (many < MIN_PROCESSES)
    return warning(
      `Limits: ${summary} Ray starts many threads, which count.`,
      'Raise `ulimit -u` as far as possible in the set-up of the job, or ask for more.',
    );
  if (memoryKib < 16 * 1_048_576)
    return warning(
      `Limits: ${summary} Loading weights may be killed for lack of memory.`,
      'Ask for a higher memory limit (`ulimit -v`, or the MemoryMax of user slices).',
    );
  // A pattern that begins with "|" hands the memory to a program, which keeps what it likes.
  const core = /^core=(.)$/m.exec(text)?.[1] ?? '|';
  if (core !== '|' && (limitOf(text, 'Max core file size')?.soft ?? 0) > CORE_BYTES)
    return warning(
      `Limits: ${summary} A model server that crashes writes all its memory into a file (core dump).`,
      'Add `ulimit -c 0` to the set-up of the job.',
    );
  return good(summary);
}

/** A line of /proc/PID/limits: name, soft, hard. */
function limitOf(text: string, name: string): { soft: number; hard: number } | null {
  const [, soft, hard] = new RegExp(`^${name}\\s+(\\d+|unlimited)\\s+(\\d+|unlimited)`, 'm').exec(text) ?? [];
  if (soft === undefined || hard === undefined) return null;
  const number = (word: string): number => (word === 'unlimited' ? Number.POSITIVE_INFINITY : Number(word));
  return { soft: number(soft), hard: number(hard) };
}

function countText(count: number): string {
  return Number.isFinite(count) ? String(count) : 'unlimited';
}

/** systemd may end everything of a user who logs out; our jobs are to outlive exactly that. */
export const lingeringCheck: ScriptCheck = {
  id: 'outlives-logout',
  title: 'Jobs outlive the login',
  seconds: 15,
  script: `
quiet() { if command -v timeout >/dev/null 2>&1; then timeout -k 1 5 "$@"; else "$@"; fi }
value=$(quiet busctl --system get-property org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager KillUserProcesses 2>/dev/null)
echo "ends=$value"
if [ -z "$value" ]; then
  echo "file=$(cat /etc/systemd/logind.conf /etc/systemd/logind.conf.d/*.conf 2>/dev/null | sed -n 's/^ *KillUserProcesses *= *//p' | tail -n 1)"
fi
echo "slurm=\${SLURM_JOB_ID:-}"
echo "pam=$(grep -rls pam_slurm_adopt /etc/pam.d 2>/dev/null | head -n 1)"
exit 0
`,
  judge: ({ stdout }) => {
    const values = valuesIn(stdout);
    const ends = values.get('ends') || values.get('file') || '';
    if (/^(b )?(true|yes|on|1)$/i.test(ends))
      return bad(
        'systemd ends all processes of a user at logout (KillUserProcesses=yes): jobs would end with the connection.',
        'Ask an administrator for `KillUserProcesses=no`, or your name under `KillExcludeUsers=`, in /etc/systemd/logind.conf.',
      );
    if ((values.get('pam') ?? '') !== '')
      return warning(
        'This node adopts logins into Slurm jobs (pam_slurm_adopt): what is started here ends with that job.',
        'Add the cluster as a Slurm machine, so that jobs go through Slurm.',
      );
    return good('Nothing here ends processes at logout.');
  },
};
