import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { failed, ok } from '../../base';
import { reasonOf } from '../../storage';
import { localManifest } from '../local-manifest';
import { digestScript, receiveScript } from '../logic/file-scripts';
import { type Manifest, parseDigests, sameContent } from '../logic/manifest';
import type { ShellTools } from '../logic/shell-survey';
import { type AsyncResult, type AttachedProcess, type Machine, spawnScript } from '../machine';

/** Digests of a large folder on a slow disk take their time. */
const DIGEST_MS = 600_000;

/** `Machine.upload` to another machine: one stream, put in place when it is complete. */
export async function upload(
  machine: Pick<Machine, 'run' | 'spawn' | 'spec'>,
  tools: ShellTools,
  from: string,
  path: string,
  draft: string,
): AsyncResult<null> {
  const problem = (why: string) =>
    failed({
      code: 'unavailable' as const,
      message: `Cannot copy ${from} to ${path} on ${machine.spec.name}: ${why}.`,
    });
  let wanted: Manifest | null;
  let source: { readonly kind: 'file' | 'folder'; readonly executable: boolean };
  try {
    const stats = await stat(from);
    source = { kind: stats.isDirectory() ? 'folder' : 'file', executable: (stats.mode & 0o100) !== 0 };
    wanted = await localManifest(from);
  } catch (error) {
    return problem(reasonOf(error));
  }
  if (wanted === null) return problem('it does not exist');

  const remoteManifest = async (): AsyncResult<Manifest | null> => {
    const script = digestScript(tools, path);
    if (script === null) return ok(null);
    const digests = await machine.run(script, { timeoutMs: DIGEST_MS });
    if (!digests.ok) return digests;
    const [kind, ...lines] = digests.value.stdout.split('\n');
    return ok(kind === source.kind ? parseDigests(lines.join('\n'), source.kind) : null);
  };
  const before = await remoteManifest();
  if (!before.ok) return before;
  if (before.value !== null && sameContent(wanted, before.value)) return ok(null);

  const script = receiveScript(path, draft, source.kind, source.executable);
  const receiver = await spawnScript(machine, script);
  if (!receiver.ok) return receiver;
  const sent = await send(source.kind === 'folder' ? tarOf(from) : createReadStream(from), receiver.value);
  if (sent.code === null)
    return failed({
      code: 'unreachable',
      message: `The connection to ${machine.spec.name} was cut while ${from} was copied there.`,
    });
  if (sent.code !== 0)
    return problem(sent.stderr === '' ? `it ended with exit code ${sent.code}` : sent.stderr);
  const after = await remoteManifest();
  if (!after.ok) return after;
  if (after.value !== null && !sameContent(wanted, after.value))
    return problem('the copy differs from the original');
  return ok(null);
}

async function send(
  content: Readable,
  receiver: AttachedProcess,
): Promise<{ readonly code: number | null; readonly stderr: string }> {
  let stderr = '';
  receiver.stdout.resume();
  receiver.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-1_000);
  });
  let broken = '';
  await pipeline(content, receiver.stdin).catch((error: unknown) => {
    broken = reasonOf(error);
  });
  // A broken source must not look like a complete one.
  if (broken !== '' && content.errored) receiver.kill();
  const { code } = await receiver.ended;
  return { code, stderr: stderr.trim().split('\n').at(-1) || broken };
}

/** Everything in a folder, links followed. */
function tarOf(folder: string): Readable {
  const child = spawn('tar', ['-C', folder, '-chf', '-', '.'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    // Apple's tar would add its own files.
    env: { ...process.env, COPYFILE_DISABLE: '1' },
  });
  child.once('error', (error) => child.stdout.destroy(error));
  child.once('exit', (code) => {
    if (code !== 0) child.stdout.destroy(new Error(`tar ended with exit code ${code}`));
  });
  return child.stdout;
}
