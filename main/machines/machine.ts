import type { Refusal } from '../../preload/contract';
import type { Result } from '../base';

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

/** A computer as jobs need it: start something that outlives us, look at processes, read and write small files. */
export type Machine = {
  readonly id: string;
  /** Starts a program as the leader of its own session, with no stream tied to us. */
  readonly spawnDetached: (command: DetachedCommand) => Promise<Result<{ readonly pid: number }, Refusal>>;
  /**
   * A text that is the same as long as this process lives and that no other process with its number will have
   * (boot and start time); null when there is none, or when it has ended and only waits to be collected.
   */
  readonly processMark: (pid: number) => Promise<string | null>;
  /** Processes of a group that are alive. */
  readonly groupMembers: (groupId: number) => Promise<readonly number[]>;
  /** Signals a whole group; one that is gone is no error. */
  readonly signalGroup: (groupId: number, signal: Signal) => Promise<void>;
  /** Makes a new folder (parents too) for this user only; false when it is already there. */
  readonly makeFolder: (path: string) => Promise<boolean>;
  /** Names in a folder, sorted; none when it is absent. */
  readonly listFolder: (path: string) => Promise<readonly string[]>;
  readonly removeFolder: (path: string) => Promise<void>;
  readonly removeFile: (path: string) => Promise<void>;
  /** Whole text of a small file; null when it is absent. */
  readonly readText: (path: string) => Promise<string | null>;
  /** In one step: a reader sees the old text or the new. */
  readonly writeText: (path: string, text: string) => Promise<void>;
  /** Up to `maxBytes` from `offset` (negative: from the end; past the end: nothing); null when it is absent. */
  readonly readSlice: (path: string, offset: number, maxBytes: number) => Promise<FileSlice | null>;
};
