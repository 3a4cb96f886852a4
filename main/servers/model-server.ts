/**
 * Entry of the model server's process: an OpenAI-compatible server for one pocket policy or one
 * recording, or a server of a pocket reward model's scores.
 * Runs with plain `node` or with Electron's binary under ELECTRON_RUN_AS_NODE=1.
 */
import { rename, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { counted, endOnUnhandledErrors, failed, ok, type Result } from '../base';
import type { Replier } from './logic/reply';
import { parseServerArguments, SERVER_USAGE, type ServerArguments } from './logic/server-arguments';
import { createChatServer } from './serving/chat-http-server';
import { createPocketReplier, readPolicy } from './serving/pocket-replier';
import { createRecordedReplier, type Recording, readRecording } from './serving/recorded-replier';
import { createScoreServer, readRewardModel } from './serving/score-http-server';

/** Requests under way may end within this after SIGTERM; then their connections are cut. */
const CLOSING_GRACE_MS = 3_000;

function log(line: string): void {
  process.stdout.write(`${new Date().toISOString()} ${line}\n`);
}

async function makeServer(args: ServerArguments): Promise<Result<Server, string>> {
  const { source } = args;
  if (source.kind !== 'reward') {
    const replier = await makeReplier(source, args.seed);
    return replier.ok ? ok(createChatServer({ ...args, replier: replier.value, log })) : replier;
  }
  const model = await readRewardModel(source.checkpointPath);
  if (!model.ok) return model;
  log(`reward model ${source.checkpointPath}: seed ${model.value.seed}`);
  return ok(createScoreServer({ model: model.value, latencyMs: args.latencyMs, log }));
}

async function makeReplier(
  source: Exclude<ServerArguments['source'], { kind: 'reward' }>,
  seed: number,
): Promise<Result<Replier, string>> {
  if (source.kind === 'pocket') {
    const policy = await readPolicy(source.checkpointPath);
    if (!policy.ok) return policy;
    log(`checkpoint ${source.checkpointPath}: family ${policy.value.family}, seed ${policy.value.seed}`);
    return ok(createPocketReplier(policy.value));
  }
  const recording = await readRecording(source.recordingPath);
  if (!recording.ok) return recording;
  log(`recording ${source.recordingPath}: ${countsOf(recording.value)}`);
  return ok(createRecordedReplier(recording.value, seed));
}

function countsOf(recording: Recording): string {
  let samples = 0;
  let refinements = 0;
  for (const programs of recording.values()) {
    samples += programs.samples.length;
    for (const made of programs.refinements?.values() ?? []) refinements += made.length;
  }
  return `${counted(recording.size, 'problem')}, ${counted(samples, 'sample')}, ${counted(refinements, 'refinement')}`;
}

async function listen(server: Server, port: number): Promise<Result<number, string>> {
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isPortInUse = error.code === 'EADDRINUSE';
      resolve(
        failed(isPortInUse ? `Port ${port} is taken. Choose another, or 0 for a free one.` : error.message),
      );
    });
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(ok(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}

/** In one step: a reader sees no file or the whole file. */
async function writePortFile(path: string, port: number): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, `${JSON.stringify({ port, pid: process.pid })}\n`, { mode: 0o600 });
  await rename(draft, path);
}

function closeOnSignal(server: Server): void {
  let closing = false;
  const close = (signal: NodeJS.Signals) => {
    if (closing) process.exit(0);
    closing = true;
    log(`${signal}: closing`);
    server.close(() => {
      log('closed');
      process.exit(0);
    });
    server.closeIdleConnections();
    // A connection keeps the server open until it is idle after its last answer, so idle ones are closed again and
    // again.
    setInterval(() => server.closeIdleConnections(), 50);
    setTimeout(() => server.closeAllConnections(), CLOSING_GRACE_MS);
  };
  process.on('SIGTERM', close);
  process.on('SIGINT', close);
}

async function main(): Promise<Result<null, string>> {
  const argv = process.argv.slice(2);
  if (argv.includes('--help')) {
    process.stdout.write(SERVER_USAGE);
    return ok(null);
  }
  const args = parseServerArguments(argv);
  if (!args.ok) return failed(`${args.error}\n\n${SERVER_USAGE}`);
  log(
    `model-server ${args.value.source.kind} "${args.value.model}" pid ${process.pid} node ${process.versions.node}`,
  );
  const made = await makeServer(args.value);
  if (!made.ok) return made;
  const server = made.value;
  const port = await listen(server, args.value.port);
  if (!port.ok) return port;
  closeOnSignal(server);
  log(`listening on http://127.0.0.1:${port.value}/v1`);
  if (args.value.portFile !== null) await writePortFile(args.value.portFile, port.value);
  return ok(null);
}

endOnUnhandledErrors(process, {
  program: 'The model server',
  next: () => 'Start it again, or resume the study that uses it.',
});
// A reader of the log that goes away must not take the server with it.
process.stdout.on('error', () => undefined);
main()
  .then((outcome) => {
    if (outcome.ok) return;
    process.stderr.write(`model-server: ${outcome.error}\n`);
    process.exitCode = 2;
  })
  .catch((error: unknown) => {
    process.stderr.write(`model-server: ${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  });
