import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Refusal } from '../../preload/contract/index';
import {
  connectControlSocket,
  controlSocketPath,
  dataFolder,
  environmentSecrets,
  openWorkbench,
  privateFolder,
} from '../app/index';
import { ok, type Result } from '../base/index';
import { CliOptions, UsageError } from './cli-options';
import { annotate, compare } from './comparison-commands';
import { exhibit } from './exhibit-commands';
import { experiment } from './experiment-commands';
import { COMMAND_HELP, HELP } from './help';
import { jobs, logs } from './job-commands';
import { importFile, list, mark } from './library-commands';
import { doctor, machines } from './machine-commands';
import { bundle, exportReport } from './report-commands';
import { reproduce } from './reproduce-commands';
import { quickstart, resume, run } from './run-commands';
import { servePocket } from './serve-pocket';
import { servers } from './server-commands';
import { EXIT, type Host, say, sayRefusal } from './study-command';
import { diversity, regrade, repair, verify } from './study-commands';
import { train } from './training-commands';

const project = join(import.meta.dirname, '..', '..');

const TEXTS = [
  'out',
  'data',
  'benchmark',
  'name',
  'id',
  'what',
  'problems',
  'nodes',
  'batch',
  'order',
  'seed',
  'seeds',
  'samples',
  'from',
  'to',
  'strategy',
  'beliefs',
  'selection',
  'depth-guidance',
  'score',
  'tie',
  'feedback',
  'reward-model',
  'reward-use',
  'reward-weight',
  'tree-tokens',
  'tree-seconds',
  'grading',
  'programs',
  'judge',
  'similarity',
  'tags',
  'format',
  'version',
  'licence',
  'reason',
  'family',
  'account',
  'concurrency',
  'each',
  'folder',
  'gpu-ids',
  'gpu-memory',
  'gpus',
  'limit',
  'machine',
  'grade-on',
  'minutes',
  'note',
  'partition',
  'retry-failed',
  'retry-lost',
  'search',
  'set-up',
  'slurm-options',
  'split',
  'tail',
  'tokens',
  'updates',
  'checkout',
  'dataset',
  'extra',
  'families',
  'method',
  'points',
  'preset',
  'python',
  'rate',
  'ray',
  'port',
  'latency-ms',
  'scale',
  'only',
  'places',
  'part',
  'width',
] as const;
const FLAGS = [
  'json',
  'stop-when-solved',
  'include-excluded',
  'exclude',
  'clear',
  'anyway',
  'set-up-log',
  'slurm',
  'checkpoints',
  'look',
  'team',
  'diversity',
  'plan',
  'list',
] as const;

const commands = {
  quickstart,
  run,
  resume,
  export: exportReport,
  bundle,
  verify,
  regrade,
  diversity,
  compare,
  annotate,
  repair,
  import: importFile,
  mark,
  list,
  machines,
  jobs,
  logs,
  servers,
  doctor,
  experiment,
  train,
  exhibit,
  reproduce,
} as const;

/** The workbench that has the folder open, where one has; else one of our own. */
async function openHost(
  dataDir: string,
  appVersion: string,
): Promise<Result<Host & { readonly close: () => Promise<void> }, Refusal>> {
  const sockets = await privateFolder(process.env);
  const there = sockets.ok ? await connectControlSocket(controlSocketPath(sockets.value, dataDir)) : null;
  if (there !== null) return ok(there);
  const opened = await openWorkbench({
    dataDir,
    project,
    appVersion,
    nodeRuntime: { command: process.execPath, env: {} },
    secrets: environmentSecrets(process.env),
    reconnects: false,
  });
  if (opened.ok && opened.value.damage !== null) say(opened.value.damage);
  return opened;
}

async function main(): Promise<number> {
  const [name, ...rest] = process.argv.slice(2);
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(HELP);
    return name === undefined ? EXIT.usage : EXIT.done;
  }
  const help = COMMAND_HELP[name];
  if (help === undefined) {
    say(`There is no command "${name}".\n\n${HELP}`);
    return EXIT.usage;
  }
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      allowPositionals: true,
      options: {
        ...Object.fromEntries(TEXTS.map((text) => [text, { type: 'string' } as const])),
        ...Object.fromEntries(FLAGS.map((flag) => [flag, { type: 'boolean' } as const])),
        configuration: { type: 'string', multiple: true },
        file: { type: 'string', multiple: true },
        env: { type: 'string', multiple: true },
        agent: { type: 'string', multiple: true },
        set: { type: 'string', multiple: true },
        follow: { type: 'boolean', short: 'f' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const options = new CliOptions(values, positionals);
    if (values.help) {
      process.stdout.write(help);
      return EXIT.done;
    }
    const dataDir = dataFolder(options.text('data'), {
      platform: process.platform,
      env: process.env,
      home: homedir(),
    });
    if (name === 'serve-pocket') {
      return await servePocket({
        project,
        dataDir,
        family: options.needed('family'),
        port: options.count('port', 0, 65_535) ?? 0,
        latencyMs: options.count('latency-ms', 0, 60_000) ?? 0,
        seed: options.count('seed', 0, 2_147_483_647) ?? 1,
      });
    }
    const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
      version: string;
    };
    const host = await openHost(dataDir, version);
    if (!host.ok) return sayRefusal(host.error);
    try {
      return await commands[name as keyof typeof commands](host.value, options);
    } finally {
      await host.value.close();
    }
  } catch (error) {
    const typed = error instanceof UsageError || (error instanceof TypeError && 'code' in error);
    if (!typed) throw error;
    say(`${error.message}\n\n${help}`);
    return EXIT.usage;
  }
}

process.exitCode = await main();
