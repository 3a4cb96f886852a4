/** Reads what `processScript` prints; see `Machine.processIdentity`. */
export function parseIdentity(text: string): string | null {
  const [first = '', second] = text.split('\n');
  if (second !== undefined && second !== '') {
    const stat = parseProcessStat(second);
    return stat === null || stat.state === 'Z' ? null : linuxIdentity(first, stat);
  }
  // Of ps: the state, then the time of the start. A boot's id alone has no such time.
  const match = /^\s*([A-Z]\S*)\s+(\S[\s\S]*)/.exec(/\d\d:\d\d:\d\d/.test(first) ? first : '');
  return match?.[1] === undefined || match[1].startsWith('Z') ? null : (match[2]?.trim() ?? null);
}

/** Reads what `processesScript` prints: the numbers of a group's processes that are alive, sorted. */
export function groupOf(text: string, groupId: number): readonly number[] {
  const members: number[] = [];
  for (const line of text.split('\n')) {
    const stat = parseProcessStat(line);
    const [pid, group, state] =
      stat === null
        ? line.trim().split(/\s+/)
        : [line.slice(0, line.indexOf(' ')), String(stat.groupId), stat.state];
    if (Number(group) === groupId && state !== undefined && !state.startsWith('Z')) members.push(Number(pid));
  }
  return members.sort((a, b) => a - b);
}

/** The fields of a line of Linux' /proc/PID/stat (proc(5)). */
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

/** See `Machine.processIdentity`. */
export function linuxIdentity(bootId: string, stat: ProcessStat): string {
  return `${bootId.trim()} ${stat.startTicks}`;
}
