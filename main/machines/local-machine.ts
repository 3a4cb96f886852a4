import { spawn } from 'node:child_process';
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { failed, ok } from '../base';
import { localProcesses } from './local-processes';
import type { DetachedCommand, FileSlice, Machine } from './machine';

/** This computer. */
export function createLocalMachine(): Machine {
  let drafts = 0;
  return {
    id: 'local',
    spawnDetached,
    processMark: localProcesses.mark,
    groupMembers: localProcesses.groupMembers,
    signalGroup: async (groupId, signal) => {
      try {
        process.kill(-groupId, signal);
      } catch (error) {
        if (!hasCode(error, 'ESRCH')) throw error;
      }
    },
    makeFolder: async (path) => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return mkdir(path, { mode: 0o700 }).then(() => true, unless('EEXIST', false));
    },
    listFolder: async (path) => (await readdir(path).catch(unless('ENOENT', []))).sort(),
    removeFolder: async (path) => rm(path, { recursive: true, force: true }),
    removeFile: async (path) => rm(path, { force: true }),
    readText: async (path) => readFile(path, 'utf8').catch(unless('ENOENT', null)),
    writeText: async (path, text) => {
      drafts += 1;
      const draft = `${path}.${process.pid}-${drafts}.tmp`;
      await writeFile(draft, text, { mode: 0o600 });
      await rename(draft, path);
    },
    readSlice,
  };
}

async function spawnDetached({ command, args, cwd, env }: DetachedCommand) {
  return new Promise<Awaited<ReturnType<Machine['spawnDetached']>>>((resolve) => {
    // `detached` is setsid(2): own session and process group, out of reach of our terminal's hang-up.
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      detached: true,
      stdio: 'ignore',
    });
    child.once('error', (error) => {
      const message = `"${command}" could not be started in ${cwd}: ${error.message}.`;
      resolve(failed({ code: 'unavailable' as const, message }));
    });
    child.once('spawn', () => {
      child.unref();
      resolve(ok({ pid: child.pid ?? 0 }));
    });
  });
}

async function readSlice(path: string, offset: number, maxBytes: number): Promise<FileSlice | null> {
  const file = await open(path, 'r').catch(unless('ENOENT', null));
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    const start = offset < 0 ? Math.max(0, size + offset) : Math.min(offset, size);
    const bytes = Buffer.alloc(Math.min(maxBytes, size - start));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return { bytes: bytes.subarray(0, filled), size };
  } finally {
    await file.close();
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Turns one expected error into a value; every other goes on. */
function unless<T>(code: string, value: T): (error: unknown) => T {
  return (error) => {
    if (hasCode(error, code)) return value;
    throw error;
  };
}
