import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pocketCheckpoints } from '../studies/index';
import { EXIT, sayRefusal } from './study-command';

/** Serves one pocket policy in the foreground until Ctrl+C; the model server itself says where. */
export async function servePocket(options: {
  readonly project: string;
  readonly dataDir: string;
  readonly family: string;
  readonly port: number;
  readonly latencyMs: number;
  readonly seed: number;
}): Promise<number> {
  const entry = (name: string): string => join(options.project, 'out', 'main', `${name}.js`);
  const checkpoints = pocketCheckpoints({
    dataDir: options.dataDir,
    nodeRuntime: { command: process.execPath, env: {} },
    script: entry('pretrain-pocket'),
  });
  const path = await checkpoints.ensure(options.family, options.seed, new AbortController().signal);
  if (!path.ok) return sayRefusal(path.error);
  const child = spawn(
    process.execPath,
    [
      entry('model-server'),
      ...['--kind', 'pocket', '--model', `pocket-${options.family}-base`, '--checkpoint', path.value],
      ...['--port', String(options.port), '--latency-ms', String(options.latencyMs)],
    ],
    { stdio: 'inherit' },
  );
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on('SIGINT', pass);
  process.on('SIGTERM', pass);
  return new Promise((done) => {
    child.on('error', (error) => done(sayRefusal({ code: 'internal', message: error.message })));
    child.on('close', (code) => done(code ?? EXIT.stopped));
  });
}
