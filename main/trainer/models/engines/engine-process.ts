import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TrainerError } from '../../trainer-error';
import { endProcess, waitUntilLoaded, watchOutput } from '../child-process';
import type { ServerAddress } from '../request-json';
import { EngineHttp } from './engine-client';
import { type EngineListener, type EngineSettings, engineCommand } from './engine-command';

export type EngineHost = {
  /** Of the agent, for messages and lines. */
  readonly agentId: string;
  /** Folder that holds the package mars2_learner. */
  readonly program: string;
  /** CUDA_VISIBLE_DEVICES of the engine; null: as the trainer's. */
  readonly visibleGpus: string | null;
  readonly onLine: (agentId: string, line: string) => void;
  /** For requests other than answers; left out: CONTROL_LIMIT_MS. */
  readonly limitMs?: number;
};

export type RunningEngine = {
  readonly http: EngineHttp;
  readonly ended: () => string | null;
  /** Ends the process with its children, by force after some seconds. */
  readonly dispose: () => Promise<void>;
};

/** Engines end their workers first. */
const END_MS = 30_000;

/** Starts an engine as a child in this process's group. It is not ready yet: see `untilReady`. */
export async function startEngine(settings: EngineSettings, host: EngineHost): Promise<RunningEngine> {
  // Short, as the path of a socket may have some hundred characters.
  const folder = await mkdtemp(join(tmpdir(), 'mars2-engine-'));
  const { listener, address } = await listenerOf(settings, folder);
  const { args, env } = engineCommand(settings, listener);
  const wrapper = join(host.program, 'mars2_learner', 'with_parent.py');
  const child = spawn(settings.python, [wrapper, String(process.pid), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // The engine's modules are its own; its working folder must not hide one of them.
    cwd: folder,
    env: {
      ...process.env,
      ...env,
      ...(host.visibleGpus === null ? {} : { CUDA_VISIBLE_DEVICES: host.visibleGpus }),
    },
  });
  const { ended } = watchOutput(child, (line) => host.onLine(host.agentId, line));
  const { agentId: name, limitMs } = host;
  const http = new EngineHttp({ name, address, ended, ...(limitMs === undefined ? {} : { limitMs }) });
  const dispose = async (): Promise<void> => {
    http.dispose();
    await endProcess(child, END_MS);
    await rm(folder, { recursive: true, force: true });
  };
  return { http, ended, dispose };
}

/** Waits until `isReady`; ends the engine and throws TrainerError where it does not become so. */
export async function waitUntilReady(engine: RunningEngine, isReady: () => Promise<boolean>): Promise<void> {
  // It does not listen yet, or says that it still loads.
  const ready = await waitUntilLoaded(engine.ended, async () =>
    (await isReady().catch(() => false)) ? true : null,
  );
  if (ready.ok) return;
  await engine.dispose();
  throw new TrainerError({
    code: 'unavailable',
    message: `The engine of ${engine.http.name} did not start: ${ready.error}`,
    hint: 'See the training’s log for what it printed, or leave out the engine (--writer): then the learner writes.',
  });
}

async function listenerOf(
  { engine }: EngineSettings,
  folder: string,
): Promise<{ readonly listener: EngineListener; readonly address: ServerAddress }> {
  if (engine === 'vllm') {
    const socketPath = join(folder, 'vllm.sock');
    return { listener: { socketPath }, address: { socketPath, token: null } };
  }
  const [port, token] = [await freePort(), randomBytes(24).toString('hex')];
  const configFile = join(folder, 'sglang.yaml');
  // Not as an argument, which every user of the machine can read.
  await writeFile(configFile, `api-key: ${token}\nadmin-api-key: ${token}\n`, { mode: 0o600 });
  return { listener: { port, configFile }, address: { host: '127.0.0.1', port, token } };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
