import type { Readable, Writable } from 'node:stream';
import type { MachineSpec, Refusal } from '../../preload/contract';
import { type Disposable, type Result, SCRIPT_ARGUMENTS, SCRIPT_VARIABLE } from '../base';

/** A `Refusal` with the code `unreachable` means that the outcome is unknown: the request may have been done or not. */
export type AsyncResult<T> = Promise<Result<T, Refusal>>;

/** The host of the user's ssh config; null for this computer. */
export function hostOf(spec: MachineSpec): string | null {
  return spec.kind === 'local' ? null : spec.host;
}

export type DetachedCommand = {
  readonly command: string;
  readonly args: readonly string[];
  /** An existing folder. */
  readonly cwd: string;
  /** Added to the machine's own environment. */
  readonly env: Readonly<Record<string, string>>;
};

export type FileSlice = {
  readonly bytes: Uint8Array;
  /** Bytes in the file when it was read. */
  readonly size: number;
};

export type Signal = 'SIGTERM' | 'SIGKILL';

export type ScriptEnd = {
  /** Exit code; 128 + n when signal n ended it. */
  readonly code: number;
  /** At most 16 MiB. */
  readonly stdout: string;
  /** At most 64 KiB, the last of it. */
  readonly stderr: string;
};

/** A process that ends with the connection, for programs that talk over pipes, e.g. the grader's runner. */
export type AttachedProcess = {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves after the last output; `code` null where it is unknown (a cut connection). */
  readonly ended: Promise<{ readonly code: number | null }>;
  /** Kills it and everything it started there. */
  readonly kill: () => void;
};

/** Starts a script in a POSIX shell as a process that talks over pipes; see `Machine.spawn`. */
export function spawnScript(machine: Pick<Machine, 'spawn'>, script: string): AsyncResult<AttachedProcess> {
  return machine.spawn('/bin/sh', SCRIPT_ARGUMENTS, { [SCRIPT_VARIABLE]: script });
}

/** A port of this computer that leads to a port elsewhere, until it is disposed. */
export type Forward = Disposable & { readonly localPort: number };

/** The command to run in a pty on this computer for a terminal on the machine. */
export type TerminalCommand = {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

/** A computer as jobs, servers and the grader need it. Every call may fail because it is unreachable. */
export type Machine = {
  readonly id: string;
  readonly spec: MachineSpec;
  /** The workbench's folder there, absolute; holds jobs/ and tools/. Created on the first call. */
  readonly home: () => AsyncResult<string>;
  /** Runs a script in a POSIX shell, whatever the login shell is. The output is exactly what the script wrote. */
  readonly run: (
    script: string,
    options?: {
      readonly stdin?: string | Uint8Array;
      /** 60 s when left out; after that the script is killed and the answer is a refusal `unavailable`. */
      readonly timeoutMs?: number;
      readonly signal?: AbortSignal;
    },
  ) => AsyncResult<ScriptEnd>;
  /** `env` is added to the machine's own environment. Everybody there can read the arguments: no script, no secret. */
  readonly spawn: (
    command: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => AsyncResult<AttachedProcess>;
  /** `command` null is the login shell. */
  readonly terminal: (command: string | null) => TerminalCommand;
  /**
   * A local port, open to this computer alone, that is forwarded to a port of the machine's loopback; the same port where
   * the machine is this computer. Lasts until it is disposed: after a cut it is restored on the same local port.
   * `localPort`: this one, or a refusal; any free one when left out or 0. `host`: as the machine sees it, e.g. "node17", in
   * the place of its loopback.
   */
  readonly forward: (port: number, localPort?: number, host?: string) => AsyncResult<Forward>;
  /** Starts a program as the leader of its own session, with no stream tied to us. */
  readonly spawnDetached: (command: DetachedCommand) => AsyncResult<{ readonly pid: number }>;
  /**
   * A text that identifies this process for its lifetime, also against later processes with the same number (boot and
   * start time); null when there is none, or when it has ended and only waits to be reaped.
   */
  readonly processIdentity: (pid: number) => AsyncResult<string | null>;
  /** Processes of a group that are alive. */
  readonly groupMembers: (groupId: number) => AsyncResult<readonly number[]>;
  /** Signals a whole group; one that no longer exists is no error. */
  readonly signalGroup: (groupId: number, signal: Signal) => AsyncResult<null>;
  /** Creates a folder (parents too) for this user only; false when it already exists. */
  readonly makeFolder: (path: string) => AsyncResult<boolean>;
  /** Names in a folder, sorted; none when it is absent. */
  readonly listFolder: (path: string) => AsyncResult<readonly string[]>;
  readonly removeFolder: (path: string) => AsyncResult<null>;
  readonly removeFile: (path: string) => AsyncResult<null>;
  /** Whole text of a small file; null when it is absent. */
  readonly readText: (path: string) => AsyncResult<string | null>;
  /** In one step: a reader sees the old text or the new. For this user only. */
  readonly writeText: (path: string, text: string) => AsyncResult<null>;
  /** Up to `maxBytes` from `offset` (negative: from the end; past the end: nothing); null when it is absent. */
  readonly readSlice: (path: string, offset: number, maxBytes: number) => AsyncResult<FileSlice | null>;
  /** Copies a file or folder of this computer there, unless the same content already exists. `path` is absolute. */
  readonly upload: (from: string, path: string) => AsyncResult<null>;
};

/** See `ScriptEnd`. */
export const MAX_STDOUT_BYTES = 16 * 1_048_576;
export const MAX_STDERR_BYTES = 65_536;
/** See `Machine.run`. */
export const RUN_TIMEOUT_MS = 60_000;
