import type { Readable, Writable } from 'node:stream';
import type { MachineSpec, Refusal } from '../../preload/contract';
import type { Disposable, Result } from '../base';

/** A `Refusal` of the code `unreachable` says that nothing is known: what was asked may have happened or not. */
export type AsyncResult<T> = Promise<Result<T, Refusal>>;

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

/** A process that ends with the connection: for what speaks over pipes, e.g. the grader's runner. */
export type AttachedProcess = {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves after the last output; `code` null where nobody knows it (a cut connection). */
  readonly ended: Promise<{ readonly code: number | null }>;
  /** Ends it and, there, all that it started. */
  readonly kill: () => void;
};

/** What to run in a pty on this computer to have a terminal on the machine. */
export type TerminalCommand = {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

/** A computer as jobs, servers and the grader need it. Every call may find it unreachable. */
export type Machine = {
  readonly id: string;
  readonly spec: MachineSpec;
  /** The workbench's folder there, absolute; holds jobs/, tools/, reservations. Made when it is first asked for. */
  readonly home: () => AsyncResult<string>;
  /** A script for a POSIX shell, whatever the login shell is. Its output is what the script wrote and nothing else. */
  readonly run: (
    script: string,
    options?: {
      readonly stdin?: string | Uint8Array;
      /** 60 s when left out; then the script is ended there and the answer is a refusal `unavailable`. */
      readonly timeoutMs?: number;
      readonly signal?: AbortSignal;
    },
  ) => AsyncResult<ScriptEnd>;
  readonly spawn: (command: string, args: readonly string[]) => AsyncResult<AttachedProcess>;
  /** `command` null is the login shell. */
  readonly terminal: (command: string | null) => TerminalCommand;
  /**
   * An address on this computer that reaches a port of the machine's own loopback; the same port where the machine is
   * this computer. Lasts until it is disposed of: after a cut it is made again on the same local port.
   */
  readonly forward: (port: number) => AsyncResult<Disposable & { readonly localPort: number }>;
  /** Starts a program as the leader of its own session, with no stream tied to us. */
  readonly spawnDetached: (command: DetachedCommand) => AsyncResult<{ readonly pid: number }>;
  /**
   * A text that is the same as long as this process lives and that no other process with its number will have
   * (boot and start time); null when there is none, or when it has ended and only waits to be collected.
   */
  readonly processMark: (pid: number) => AsyncResult<string | null>;
  /** Processes of a group that are alive. */
  readonly groupMembers: (groupId: number) => AsyncResult<readonly number[]>;
  /** Signals a whole group; one that is gone is no error. */
  readonly signalGroup: (groupId: number, signal: Signal) => AsyncResult<null>;
  /** Makes a new folder (parents too) for this user only; false when it is already there. */
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
  /** Puts a file or folder of this computer there, unless what is there has the same digest. `path` is absolute. */
  readonly upload: (from: string, path: string) => AsyncResult<null>;
};
