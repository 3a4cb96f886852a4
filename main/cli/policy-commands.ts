import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { POCKET_FAMILIES } from '../../preload/contract/index';
import { ownNodeRuntime } from '../app/index';
import { pocketCheckpoints } from '../studies/index';
import { type CommandGroup, option } from './grammar';
import { EXIT, printRefusal } from './host';

export const policyCommands: CommandGroup = {
  name: 'policies',
  about: 'the small policies of pocket scale',
  commands: [
    {
      usage: 'serve',
      about: 'serve a pocket policy over the OpenAI chat-completions API, until Ctrl+C',
      options: [
        option('--family <name>', POCKET_FAMILIES.join(', ')),
        option('--port <n>', 'port on 127.0.0.1 (0: a free one, printed)'),
        option('--latency-ms <n>', 'delay of every answer, milliseconds (default: 0)'),
        option('--seed <n>', 'seed of the pre-training (default: 1)'),
      ],
      standalone: async (options, { project, dataDir }) =>
        servePocket({
          project,
          dataDir,
          family: options.choice('family', POCKET_FAMILIES) ?? options.required('family'),
          port: options.count('port', 0, 65_535) ?? 0,
          latencyMs: options.count('latency-ms', 0, 60_000) ?? 0,
          seed: options.count('seed', 0, 2_147_483_647) ?? 1,
        }),
    },
  ],
};

/** Serves one pocket policy in the foreground until Ctrl+C; the model server prints its address. */
async function servePocket(options: {
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
    nodeRuntime: ownNodeRuntime(process),
    script: entry('pretrain-pocket'),
  });
  const path = await checkpoints.ensure(options.family, options.seed, new AbortController().signal);
  if (!path.ok) return printRefusal(path.error);
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
    child.on('error', (error) => done(printRefusal({ code: 'internal', message: error.message })));
    child.on('close', (code) => done(code ?? EXIT.stopped));
  });
}
