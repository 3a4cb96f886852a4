/**
 * Entry of the grader service's process. One file that needs nothing but Node, Python and bubblewrap, so that it also runs
 * where only it and the grader's resources were copied. Exit codes: 0 ended by SIGTERM or SIGINT, 1 failed, 2 wrong
 * arguments, 3 no sandbox.
 */
import type { Server } from 'node:http';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Refusal } from '../../preload/contract';
import { counted, endOnUnhandledErrors, failed, ok, type Result } from '../base';
import { createLibraryReader } from '../benchmarks';
import { GRADE_PATH, openSandboxGrader, serviceToken } from '../grading';
import { keepFilesPrivate, makeFolder, reasonOf } from '../storage';
import { createGraderService, type GraderService } from './service';

const USAGE = `grader-service: grades programs over HTTP, until Ctrl+C

  --resources DIR     the folder with grader/
  --token-file FILE   the bearer token; made where it is missing
  --data DIR          the data folder whose benchmarks can be named (left out: none)
  --host ADDRESS      where to listen (default: 127.0.0.1)
  --port N            0 to 65535; 0, the default, takes a free one
  --workers N         candidates at a time (default: processor cores)
  --grace SECONDS     how long requests may go on after Ctrl+C (default: 30)
`;

type Arguments = {
  readonly resources: string;
  readonly tokenPath: string;
  readonly dataDir: string | null;
  readonly host: string;
  readonly port: number;
  readonly workers: number;
  readonly graceSeconds: number;
};

function readArguments(args: readonly string[]): Result<Arguments, string> {
  try {
    const text = { type: 'string' } as const;
    const options = {
      resources: text,
      'token-file': text,
      data: text,
      host: text,
      port: text,
      workers: text,
      grace: text,
    };
    const { values } = parseArgs({ args: [...args], options });
    const { resources, 'token-file': tokenPath, data, host = '127.0.0.1' } = values;
    if (resources === undefined || tokenPath === undefined)
      return failed('--resources and --token-file are required.');
    const integerOption = (
      name: 'port' | 'workers' | 'grace',
      from: number,
      to: number,
      usual: number,
    ): number => {
      const value = values[name] === undefined ? usual : Number(values[name]);
      if (Number.isInteger(value) && value >= from && value <= to) return value;
      throw new Error(`--${name} must be a whole number from ${from} to ${to}, not "${values[name]}".`);
    };
    return ok({
      resources: resolve(resources),
      tokenPath: resolve(tokenPath),
      dataDir: data === undefined ? null : resolve(data),
      host,
      port: integerOption('port', 0, 65_535, 0),
      workers: integerOption('workers', 1, 1_024, availableParallelism()),
      graceSeconds: integerOption('grace', 0, 86_400, 30),
    });
  } catch (error) {
    return failed(reasonOf(error));
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function listen(server: Server, port: number, host: string): Promise<Result<number, Refusal>> {
  return new Promise((done) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const hint =
        error.code === 'EADDRINUSE' ? 'Choose another port, or 0 for a free one.' : 'Choose another address.';
      done(
        failed({
          code: 'unavailable',
          message: `Cannot listen on ${host}, port ${port}: ${error.message}.`,
          hint,
        }),
      );
    });
    server.listen(port, host, () => {
      const address = server.address();
      done(ok(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}

/** Resolves when the service has ended after SIGTERM or SIGINT; a second signal ends the wait for its requests. */
function waitUntilStopped(service: GraderService, graceSeconds: number): Promise<void> {
  return new Promise((done) => {
    const stop = (signal: NodeJS.Signals): void => {
      const waiting = service.ungraded();
      say(
        waiting === 0
          ? `${signal}: ending.`
          : `${signal}: ${counted(waiting, 'program is', 'programs are')} being graded; waiting up to ${graceSeconds} s. Press Ctrl+C again to end now.`,
      );
      void service.close(graceSeconds * 1_000).then((unfinished) => {
        say(
          unfinished === 0
            ? 'Ended; everything that was asked for is graded.'
            : `Ended; ${counted(unfinished, 'program was', 'programs were')} not graded (their clients were told).`,
        );
        done();
      });
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/;

function announce({ host, workers }: Arguments, port: number, tokenPath: string): void {
  const shown = host.includes(':') ? `[${host}]` : host;
  say(
    `Grader service on http://${shown}:${port} (POST ${GRADE_PATH}), ${counted(workers, 'program')} at a time.`,
  );
  say(`Its token is in the file ${tokenPath}`);
  if (!LOOPBACK.test(host))
    say(
      'Other computers can reach it, and nothing is encrypted on the way: use it in a network that you trust, or over ssh.',
    );
}

async function main(args: Arguments): Promise<Result<null, Refusal>> {
  const { resources, tokenPath, dataDir, workers } = args;
  await makeFolder(dirname(tokenPath));
  const token = await serviceToken(tokenPath);
  if (!token.ok) return token;
  // Never without a sandbox: what others send would run with this user's rights.
  const grader = await openSandboxGrader({
    resourcesDir: resources,
    allowUnsandboxed: false,
    concurrency: workers,
    privateFolders: [dirname(tokenPath), ...(dataDir === null ? [] : [dataDir])],
  });
  if (!grader.ok) return grader;
  const library = dataDir === null ? null : createLibraryReader(dataDir);
  const log = (line: string): void => say(`${new Date().toISOString()} ${line}`);
  const service = createGraderService({ grader: grader.value, library, token: token.value, workers, log });
  try {
    const port = await listen(service.server, args.port, args.host);
    if (!port.ok) return port;
    const stopped = waitUntilStopped(service, args.graceSeconds);
    announce(args, port.value, tokenPath);
    await stopped;
    return ok(null);
  } finally {
    await grader.value.dispose();
  }
}

endOnUnhandledErrors(process, {
  program: 'The grader service',
  next: () => 'Start it again: its clients ask again by themselves.',
});
keepFilesPrivate();
// A reader of the log that goes away must not take the service with it.
process.stdout.on('error', () => undefined);
const args = readArguments(process.argv.slice(2));
if (process.argv.includes('--help')) say(USAGE);
else if (!args.ok) {
  process.stderr.write(`${args.error}\n\n${USAGE}`);
  process.exitCode = 2;
} else {
  const outcome = await main(args.value);
  if (!outcome.ok) {
    const { code, message, hint } = outcome.error;
    process.stderr.write(`${[message, hint].filter(Boolean).join('\n')}\n`);
    process.exitCode = code === 'unavailable' ? 3 : 1;
  }
}
