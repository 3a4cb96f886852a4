import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { GRADER_TOKEN_VARIABLE } from '../../preload/contract/plans/index';
import { endOnUnhandledErrors, ok, steadyClock } from '../base/index';
import { openRemoteGrader, openSandboxGrader, type RemoteGrader, readServiceToken } from '../grading/index';
import { keepFilesPrivate, reasonOf } from '../storage/index';
import { STOPPED_EXIT_CODE, trainPocket } from './index';
import { type ModelInput, modelInputSchema } from './models/model-input';
import { trainModel } from './models/train-model';
import { type TrainingInput, trainingInputSchema } from './pocket/training-input';
import { TrainerError } from './trainer-error';

/**
 * The program of one training by our own loop, which starts it or continues where an earlier process stopped or was killed.
 * Exit codes: 0 done, 75 stopped by SIGTERM or SIGINT (the same command continues), 1 with a message on stderr.
 */

/** More sandboxes than this would wait for the policies. */
const MAX_SANDBOXES = 4;
const SAVE_EVERY_SECONDS = 10;
/** All weights and moments of a model are gigabytes; an adapter's are saved after every round. */
const SAVE_WHOLE_MODEL_SECONDS = 600;
/** A round of a model may take hours: after so long it is cancelled, and done again when the training continues. */
const CANCEL_ROUND_MS = 20_000;

type Input = TrainingInput | ModelInput;

function usage(message: string): TrainerError {
  return new TrainerError({
    code: 'bad-input',
    message,
    hint: 'Use: pocket-trainer --spec FILE --out DIR --checkpoints DIR --resources DIR [--save-every SECONDS] [--allow-unsandboxed] [--grader ADDRESS [--grader-token-file FILE]]',
  });
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        spec: { type: 'string' },
        out: { type: 'string' },
        checkpoints: { type: 'string' },
        resources: { type: 'string' },
        'save-every': { type: 'string', default: String(SAVE_EVERY_SECONDS) },
        'allow-unsandboxed': { type: 'boolean', default: false },
        grader: { type: 'string' },
        'grader-token-file': { type: 'string' },
      },
    });
    const { spec, out, checkpoints, resources, grader, 'grader-token-file': tokenFile } = values;
    if (spec === undefined || out === undefined) throw usage('--spec and --out are required.');
    if (checkpoints === undefined || resources === undefined)
      throw usage('--checkpoints and --resources are required.');
    const saveEvery = Number(values['save-every']);
    if (!(saveEvery >= 0))
      throw usage(`--save-every must be a number of seconds, not "${values['save-every']}".`);
    const allowUnsandboxed = values['allow-unsandboxed'];
    return { spec, out, checkpoints, resources, saveEvery, allowUnsandboxed, grader, tokenFile };
  } catch (error) {
    throw error instanceof TrainerError ? error : usage(reasonOf(error));
  }
}

async function readInput(path: string): Promise<Input> {
  const refuse = (reason: string): TrainerError =>
    new TrainerError({ code: 'bad-input', message: `${path} is not a valid training: ${reason}.` });
  let data: unknown;
  try {
    data = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw refuse(reasonOf(error));
  }
  const input = inputSchema.safeParse(data);
  if (input.success) return input.data;
  const issue = input.error.issues[0];
  throw refuse(`${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
}

const inputSchema = z.union([trainingInputSchema, modelInputSchema]);

function isModel(input: Input): input is ModelInput {
  return input.spec.kind === 'model';
}

/** `out`: the training's folder, which has the private tests. */
async function openGrader({
  resources: resourcesDir,
  allowUnsandboxed,
  out,
  grader: address,
  tokenFile,
}: ReturnType<typeof readArguments>): Promise<RemoteGrader> {
  if (address !== undefined) return openService(address, tokenFile);
  const concurrency = Math.min(MAX_SANDBOXES, availableParallelism());
  const opened = await openSandboxGrader({
    resourcesDir,
    allowUnsandboxed,
    concurrency,
    privateFolders: [out],
  });
  if (!opened.ok) throw new TrainerError(opened.error);
  return opened.value;
}

/** Takes the token out of the environment, which the learner that is started from here would inherit. */
async function openService(address: string, tokenFile: string | undefined): Promise<RemoteGrader> {
  const { [GRADER_TOKEN_VARIABLE]: variable } = process.env;
  delete process.env[GRADER_TOKEN_VARIABLE];
  const token = tokenFile === undefined ? ok(variable?.trim() ?? '') : await readServiceToken(tokenFile);
  if (!token.ok) throw new TrainerError(token.error);
  if (token.value === '')
    throw new TrainerError({
      code: 'bad-input',
      message: `The token of the grader service is missing: name its file with --grader-token-file, or set the variable ${GRADER_TOKEN_VARIABLE}.`,
    });
  const opened = await openRemoteGrader({ address, token: token.value });
  if (!opened.ok) throw new TrainerError(opened.error);
  return opened.value;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

async function main(): Promise<number> {
  const [stop, cancel] = [new AbortController(), new AbortController()];
  const onSignal = (): void => {
    stop.abort();
    setTimeout(() => cancel.abort(), CANCEL_ROUND_MS).unref();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  const given = readArguments();
  const { spec, out, checkpoints, resources, saveEvery } = given;
  const input = await readInput(spec);
  const grader = await openGrader(given);
  try {
    const print = (line: string): void => void process.stdout.write(`${line}\n`);
    const common = {
      out,
      grader,
      now: steadyClock(Date.now, () => performance.now()),
      stop: stop.signal,
      onProgress: print,
    };
    const outcome = isModel(input)
      ? await trainModel({
          ...common,
          input,
          signal: cancel.signal,
          saveEveryMs: input.spec.lora === null ? SAVE_WHOLE_MODEL_SECONDS * 1_000 : 0,
          learnerProgram: join(resources, 'learner'),
          onLearnerLine: (agentId, line) => print(`${agentId}: ${line}`),
        })
      : await trainPocket({ ...common, input, checkpoints, saveEveryMs: saveEvery * 1_000 });
    const { active, idle } = performance.eventLoopUtilization();
    process.stdout.write(
      `${seconds(active)} s of computing, ${seconds(idle)} s of waiting for the sandbox.\n`,
    );
    return outcome === 'done' ? 0 : STOPPED_EXIT_CODE;
  } finally {
    await grader.dispose();
  }
}

endOnUnhandledErrors(process, {
  program: 'The training',
  next: () => 'Retry its job: it continues from its last saved state.',
});
keepFilesPrivate();
try {
  process.exitCode = await main();
} catch (error) {
  process.exitCode = 1;
  if (error instanceof TrainerError) {
    const { message, hint } = error.refusal;
    process.stderr.write(hint === undefined ? `${message}\n` : `${message} ${hint}\n`);
  } else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
