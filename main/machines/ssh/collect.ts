import type { Refusal } from '../../../preload/contract';
import { failed, ok, type Result } from '../../base';
import { type AttachedProcess, MAX_STDERR_BYTES, MAX_STDOUT_BYTES } from '../machine';
import { cancelled, connectionCutRefusal, outputTooLarge, timedOut } from '../refusals';
import type { RawEnd } from './shell-pool';

/** Gives a process its input and waits for all that it writes. */
export async function collect(
  started: Result<AttachedProcess, Refusal>,
  options: {
    readonly stdin: string | Uint8Array;
    readonly timeoutMs: number;
    readonly signal: AbortSignal | null;
    readonly host: string;
  },
): Promise<Result<RawEnd, Refusal>> {
  if (!started.ok) return started;
  const { stdin, timeoutMs, signal, host } = options;
  const process = started.value;
  const stdout: Buffer[] = [];
  let size = 0;
  let stderr: Buffer = Buffer.alloc(0);
  let refusal: Refusal | null = null;
  const stop = (why: Refusal): void => {
    refusal ??= why;
    process.kill();
  };
  const onAbort = () => stop(cancelled(host));
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => stop(timedOut(timeoutMs, host)), timeoutMs);
  process.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_STDOUT_BYTES) stop(outputTooLarge(MAX_STDOUT_BYTES, host));
    else stdout.push(chunk);
  });
  process.stderr.on('data', (chunk: Buffer) => {
    stderr = Buffer.concat([stderr, chunk]).subarray(-MAX_STDERR_BYTES);
  });
  process.stdin.end(stdin);
  const { code } = await process.ended;
  clearTimeout(timer);
  signal?.removeEventListener('abort', onAbort);
  if (refusal !== null) return failed(refusal);
  return code === null
    ? failed(connectionCutRefusal(host))
    : ok({ code, stdout: Buffer.concat(stdout), stderr });
}
