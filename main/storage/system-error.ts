import { dirname } from 'node:path';

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user lacks the permission',
  EPERM: 'this user lacks the permission',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would exceed the allowed size',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder, not a file',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk reported an error',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'the name is too long',
};

/** Why a file could not be written to `path`; a missing file is a missing folder there. */
export function writeReasonOf(path: string, error: unknown): string {
  return systemErrorCode(error) === 'ENOENT' ? `the folder ${dirname(path)} does not exist` : reasonOf(error);
}

/** The code of a system error such as "ENOENT"; null for any other value. */
export function systemErrorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** Why the operating system refused, as the end of a sentence, e.g. "the disk is full (ENOSPC)". */
export function reasonOf(error: unknown): string {
  const code = systemErrorCode(error);
  const reason = code === null ? undefined : reasons[code];
  if (reason !== undefined) return `${reason} (${code})`;
  return error instanceof Error ? error.message : String(error);
}
