/** What one line of Linux' /proc/PID/stat tells (proc(5)). */
export type ProcessStat = {
  /** R, S, D, Z ...; Z: ended, only waiting to be collected. */
  readonly state: string;
  readonly groupId: number;
  /** Clock ticks between boot and the start of the process. */
  readonly startTicks: string;
};

/** null when it is no such line. The name in parentheses may hold spaces and parentheses, so read behind the last. */
export function parseProcessStat(line: string): ProcessStat | null {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  // Fields 3 (state), 5 (group) and 22 (start time) of the manual; the first two are cut off.
  const [state, groupId, startTicks] = [fields[0], Number(fields[2]), fields[19]];
  if (!line.includes(')') || state === undefined || startTicks === undefined || !Number.isInteger(groupId))
    return null;
  return { state, groupId, startTicks };
}

/** See `Machine.processMark`. */
export function linuxMark(bootId: string, stat: ProcessStat): string {
  return `${bootId.trim()} ${stat.startTicks}`;
}
