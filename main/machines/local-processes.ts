import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { linuxIdentity, type ProcessStat, parseProcessStat } from './logic/process-table';

/** The local process table: /proc where there is one, `ps` elsewhere (macOS). */
type ProcessTable = {
  readonly mark: (pid: number) => Promise<string | null>;
  readonly groupMembers: (groupId: number) => Promise<readonly number[]>;
};

const procTable: ProcessTable = {
  mark: async (pid) => {
    const stat = await readStat(pid);
    if (stat === null || stat.state === 'Z') return null;
    return linuxIdentity(
      await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => 'unknown'),
      stat,
    );
  },
  groupMembers: async (groupId) => {
    const members: number[] = [];
    for (const name of await readdir('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const stat = await readStat(Number(name));
      if (stat?.groupId === groupId && stat.state !== 'Z') members.push(Number(name));
    }
    return members.sort((a, b) => a - b);
  },
};

const psTable: ProcessTable = {
  mark: async (pid) => {
    const line = (await ps(['-o', 'stat=,lstart=', '-p', String(pid)])).trim();
    if (line === '' || line.startsWith('Z')) return null;
    return line.replace(/^\S+\s+/, '');
  },
  groupMembers: async (groupId) => {
    const rows = (await ps(['-A', '-o', 'pid=,pgid=,stat=']))
      .split('\n')
      .map((row) => row.trim().split(/\s+/));
    return rows
      .filter(([, group, stat]) => Number(group) === groupId && stat?.startsWith('Z') === false)
      .map(([pid]) => Number(pid))
      .sort((a, b) => a - b);
  },
};

export const localProcesses: ProcessTable = process.platform === 'linux' ? procTable : psTable;

async function readStat(pid: number): Promise<ProcessStat | null> {
  // A process that ended meanwhile has no such file.
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return line === null ? null : parseProcessStat(line);
}

/** Output of `ps`; empty when it found nothing, which it reports as a failure. */
async function ps(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    // The start time is printed in the user's language and zone: fixed, so that it can be compared.
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    execFile('ps', args, { env, maxBuffer: 16_000_000 }, (_error, stdout) => resolve(stdout));
  });
}
