import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogPiece, Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { linuxMark, type Machine, parseProcessStat } from '../machines';
import { hasEnded, type Job, type JobState } from './job';
import { commandFileSchema, exitFileSchema, type JobSpec, jobFiles, parseFile } from './logic/job-files';
import { JOB_WRAPPER, type JobProcess, parseProcessFile } from './logic/job-wrapper';
import { LONGEST_CHARACTER_BYTES, leadingPart, trailingPart } from './logic/log-text';

/** The wrapper names its process within milliseconds; a machine that swaps may take longer. */
const START_PATIENCE_MS = 10_000;
/** After KILL only a process that hangs in the kernel is still there. */
const KILL_PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 20;

export type JobService = {
  /** Starts a command that outlives us. Answers when its process is known (or has already ended). */
  readonly launch: (spec: JobSpec) => Promise<Result<Job, Refusal>>;
  /** Starts the command of an ended job again, in its folder and appending to its log. */
  readonly launchAgain: (id: string) => Promise<Result<Job, Refusal>>;
  /** Every job there is a folder of, oldest first: those of earlier starts of the app too. */
  readonly list: () => Promise<readonly Job[]>;
  readonly inspect: (id: string) => Promise<Result<Job, Refusal>>;
  /** TERM to the whole group, KILL to what is left after `graceMs`; answers when nothing is left. */
  readonly stop: (id: string, graceMs: number) => Promise<Result<JobState, Refusal>>;
  /**
   * Whole characters of the output from a byte offset (negative: from the end). A character that is not written to
   * its end waits for the next call while the job runs. Reading on at `nextOffset` loses and doubles nothing.
   */
  readonly readLog: (id: string, offset: number, maxBytes: number) => Promise<Result<LogPiece, Refusal>>;
  /** Text of a small file that the job left in its folder; null when it is absent. */
  readonly readFile: (id: string, name: string) => Promise<string | null>;
  /** Deletes an ended job's folder. */
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
};

export function createJobService(options: {
  readonly machine: Machine;
  /** Holds a folder per job. */
  readonly folder: string;
  readonly clock: { readonly now: () => number };
  /** A word that no other job has; must be a plain file name. */
  readonly newId: () => string;
}): JobService {
  const { machine, clock } = options;
  const pathOf = (id: string, name: string) => join(options.folder, id, name);

  const start = async (id: string, spec: JobSpec): Promise<Result<Job, Refusal>> => {
    const folder = join(options.folder, id);
    const started = await machine.spawnDetached({
      command: '/bin/sh',
      args: ['-c', JOB_WRAPPER, 'mars2-job', folder, spec.command, ...spec.args],
      cwd: spec.cwd ?? folder,
      env: spec.env,
    });
    if (!started.ok) {
      await writeExit(id, null);
      return started;
    }
    return settledStart(id);
  };

  const settledStart = async (id: string): Promise<Result<Job, Refusal>> => {
    const untilMs = clock.now() + START_PATIENCE_MS;
    for (;;) {
      const job = await inspect(id);
      if (!job.ok || job.value.state.kind !== 'starting' || clock.now() > untilMs) return job;
      await sleep(LOOK_EVERY_MS);
    }
  };

  const writeExit = (id: string, code: number | null) =>
    machine.writeText(
      pathOf(id, jobFiles.exit),
      `${JSON.stringify({ code, endedAt: new Date(clock.now()).toISOString() })}\n`,
    );

  const processOf = async (id: string): Promise<JobProcess | null> => {
    const text = await machine.readText(pathOf(id, jobFiles.process));
    return text === null ? null : parseProcessFile(text);
  };

  const stateOf = async (id: string, createdAt: string): Promise<JobState> => {
    const settled = await settle(id, createdAt);
    // The wrapper may have written its exit and gone between our two looks: then the file has it now.
    return settled.kind === 'lost' ? ((await exitOf(id)) ?? settled) : settled;
  };

  const exitOf = async (id: string): Promise<JobState | null> => {
    const exit = parseFile(exitFileSchema, await machine.readText(pathOf(id, jobFiles.exit)));
    return exit === null ? null : { kind: 'exited', code: exit.code, endedAt: exit.endedAt };
  };

  const settle = async (id: string, createdAt: string): Promise<JobState> => {
    const exited = await exitOf(id);
    if (exited !== null) return exited;
    const leader = await processOf(id);
    if (leader === null) {
      const ageMs = clock.now() - Date.parse(createdAt);
      return ageMs < START_PATIENCE_MS ? { kind: 'starting' } : { kind: 'lost' };
    }
    return (await isAlive(leader)) ? { kind: 'running', pid: leader.pid } : { kind: 'lost' };
  };

  /** The number alone proves nothing: it may have gone to another process since. */
  const isAlive = async (leader: JobProcess): Promise<boolean> => {
    const mark = await machine.processMark(leader.pid);
    const stat = parseProcessStat(leader.startLine);
    return mark !== null && mark === (stat === null ? leader.startLine : linuxMark(leader.bootId, stat));
  };

  const inspect = async (id: string): Promise<Result<Job, Refusal>> => {
    const file = parseFile(commandFileSchema, await machine.readText(pathOf(id, jobFiles.command)));
    if (file === null) return failed({ code: 'not-found', message: `There is no job "${id}".` });
    const state = await stateOf(id, file.createdAt);
    const log = await machine.readSlice(pathOf(id, jobFiles.output), 0, 0);
    return ok({ id, file, state, logBytes: log?.size ?? 0 });
  };

  /** True when the group is empty; false when patience ran out first. */
  const groupEnds = async (groupId: number, patienceMs: number): Promise<boolean> => {
    const untilMs = clock.now() + patienceMs;
    for (;;) {
      if ((await machine.groupMembers(groupId)).length === 0) return true;
      if (clock.now() > untilMs) return false;
      await sleep(LOOK_EVERY_MS);
    }
  };

  const stop = async (id: string, graceMs: number): Promise<Result<JobState, Refusal>> => {
    const job = await settledStart(id);
    if (!job.ok) return job;
    const leader = await processOf(id);
    // A leader that is gone leaves its number to its group as long as the group has members (a process number is
    // not given out again while a group bears it), unless a new process has it: then the group is not ours.
    const ours =
      leader !== null && ((await isAlive(leader)) || (await machine.processMark(leader.pid)) === null);
    if (!ours) return ok(job.value.state);
    await machine.signalGroup(leader.pid, 'SIGTERM');
    if (!(await groupEnds(leader.pid, graceMs))) {
      await machine.signalGroup(leader.pid, 'SIGKILL');
      if (!(await groupEnds(leader.pid, KILL_PATIENCE_MS))) {
        const message = `The processes of the job "${id}" (group ${leader.pid}) do not end, even when killed.`;
        return failed({
          code: 'conflict',
          message,
          hint: `ps -A -o pid,pgid,stat,args | grep ${leader.pid}`,
        });
      }
    }
    // The processes are gone. That this can not be noted on a full disk is no reason to fail: the job counts as lost.
    if ((await exitOf(id)) === null) await writeExit(id, null).catch(() => undefined);
    return ok(await stateOf(id, job.value.file.createdAt));
  };

  return {
    launch: async (spec) => {
      const id = options.newId();
      if (!(await machine.makeFolder(join(options.folder, id)))) {
        return failed({ code: 'conflict', message: `There is already a job "${id}".` });
      }
      const createdAt = new Date(clock.now()).toISOString();
      const text = JSON.stringify({ version: 1, id, createdAt, ...spec }, null, 2);
      await machine.writeText(pathOf(id, jobFiles.command), `${text}\n`);
      return start(id, spec);
    },
    launchAgain: async (id) => {
      const job = await inspect(id);
      if (!job.ok) return job;
      if (!hasEnded(job.value.state)) {
        return failed({
          code: 'conflict',
          message: `The job "${id}" has not ended, so it cannot start again.`,
        });
      }
      const { file } = job.value;
      for (const name of [...file.freshFiles, jobFiles.process, jobFiles.exit]) {
        await machine.removeFile(pathOf(id, name));
      }
      // A new start, a new age: else a job of yesterday would count as lost before its process is named.
      const createdAt = new Date(clock.now()).toISOString();
      await machine.writeText(
        pathOf(id, jobFiles.command),
        `${JSON.stringify({ ...file, createdAt }, null, 2)}\n`,
      );
      return start(id, file);
    },
    list: async () => {
      const jobs: Job[] = [];
      for (const id of await machine.listFolder(options.folder)) {
        const job = await inspect(id);
        if (job.ok) jobs.push(job.value);
      }
      return jobs.sort((a, b) => compareText(a.file.createdAt, b.file.createdAt) || compareText(a.id, b.id));
    },
    inspect,
    stop,
    readLog: async (id, offset, maxBytes) => {
      const wanted = Math.max(maxBytes, LONGEST_CHARACTER_BYTES);
      const slice = await machine.readSlice(pathOf(id, jobFiles.output), offset, wanted);
      if (slice === null) {
        const job = await inspect(id);
        return job.ok ? ok({ text: '', nextOffset: 0, size: 0 }) : job;
      }
      const start = offset < 0 ? Math.max(0, slice.size + offset) : Math.min(offset, slice.size);
      const from = offset < 0 && start > 0 ? leadingPart(slice.bytes) : 0;
      const end = start + slice.bytes.length;
      const held = trailingPart(slice.bytes);
      // At the end of an ended job's log nobody completes the character any more.
      const final =
        held > 0 &&
        end === slice.size &&
        (await inspect(id).then((job) => job.ok && hasEnded(job.value.state)));
      const bytes = slice.bytes.subarray(from, slice.bytes.length - (final ? 0 : held));
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      return ok({ text, nextOffset: start + from + bytes.length, size: slice.size });
    },
    readFile: (id, name) => machine.readText(pathOf(id, name)),
    remove: async (id) => {
      const job = await inspect(id);
      if (!job.ok) return job;
      if (!hasEnded(job.value.state)) {
        return failed({ code: 'conflict', message: `The job "${id}" still runs. Stop it first.` });
      }
      await machine.removeFolder(join(options.folder, id));
      return ok(null);
    },
  };
}

/** By code units: the same on every machine, unlike a comparison by language. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
