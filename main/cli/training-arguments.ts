import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  jobResourcesSchema,
  LOCAL_MACHINE,
  MAX_RESTARTS,
  martiFlag,
  payloadProblem,
  pocketOfTexts,
  type TrainingRequest,
  trainingMethodSchema,
  trainingRequestSchema,
} from '../../preload/contract/index';
import { type CliOptions, definedOnly, UsageError } from './cli-options';
import { ask, type Host } from './host';
import { fieldError, fieldTexts } from './training-fields';
import { modelSpec } from './training-models';

/** Reads a training from the options and arguments of "start" and "plan". */
export type TrainingReader = (options: CliOptions, workbench: Host) => Promise<TrainingRequest>;

export const pocketTraining: TrainingReader = async (options) =>
  checked(options, pocketSpec(options), 'Pocket training');

export const modelTraining: TrainingReader = async (options, workbench) => {
  const python = options.text('python') ?? (await preparedPython(options, workbench));
  return checked(options, { ...(await modelSpec(options)), ...definedOnly({ python }) }, 'Language models');
};

/** Python of the learner's environment on the training's machine; undefined: there is none, or it does not answer. */
async function preparedPython(options: CliOptions, workbench: Host): Promise<string | undefined> {
  const machineId = options.text('machine') ?? LOCAL_MACHINE;
  const learner = await ask(workbench, 'machine.learner', { machineId });
  return learner.ok ? (learner.value.python ?? undefined) : undefined;
}

export const martiTraining: TrainingReader = async (options) =>
  checked(options, martiSpec(options), 'MARTI training');

export const recipeTraining: TrainingReader = async (options) => {
  const recipeId = options.word(0, 'The recipe');
  const values = Object.fromEntries(options.all('set').map(assignment));
  return checked(options, { kind: 'recipe', recipeId, values, ...extra(options) }, recipeId);
};

export const trainingFile: TrainingReader = (options) => readTrainingFile(options.word(0, 'The file'));

/** A training in a JSON file. Throws UsageError. */
export async function readTrainingFile(path: string): Promise<TrainingRequest> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return parsed(value, `${path}: `);
}

function pocketSpec(options: CliOptions): Record<string, unknown> {
  const texts = fieldTexts('pocket', options);
  const read = pocketOfTexts(texts);
  const [error] = read.ok ? [] : read.errors;
  if (error !== undefined) throw fieldError('pocket', error, texts);
  return {
    kind: 'pocket',
    method: options.choice('method', trainingMethodSchema.options) ?? 'heter-mars2',
    families: (options.text('families') ?? 'reader,tracer').split(','),
    ...definedOnly({ seed: options.count('seed', 0, 2_147_483_647) }),
    ...(read.ok ? read.value : {}),
  };
}

function martiSpec(options: CliOptions): Record<string, unknown> {
  return {
    kind: 'marti',
    preset: options.choice('preset', ['grpo', 'single', 'shared', 'multi']) ?? 'single',
    checkout: options.required('checkout'),
    ...definedOnly({ python: options.text('python') }),
    agents: options.all('agent').map(agentOf),
    data: options.required('dataset'),
    output: options.required('out'),
    rayAddress: options.text('ray') ?? null,
    flags: Object.fromEntries(options.all('set').map(flagOf)),
    ...extra(options),
  };
}

/** "MODEL", "MODEL;reasoning", "MODEL;role=solver". */
function agentOf(text: string): Record<string, unknown> {
  const [model = '', ...fields] = text.split(';');
  const role = fields.find((field) => field.startsWith('role='))?.slice(5);
  const unknown = fields.find((field) => field !== 'reasoning' && !field.startsWith('role='));
  if (unknown !== undefined)
    throw new UsageError(`--agent takes MODEL;reasoning;role=NAME, not "${unknown}".`);
  return { model, isReasoning: fields.includes('reasoning'), ...definedOnly({ role }) };
}

/** The table of settings says whether a value is a number, a switch or a text. */
function flagOf(text: string): [string, string | number | boolean] {
  const [name, value] = assignment(text);
  const kind = martiFlag(name)?.takes.kind;
  if (kind === undefined)
    throw new UsageError(`There is no setting "${name}". See: mars2 trainings settings`);
  if (kind === 'whole' || kind === 'number') return [name, Number(value)];
  if (kind !== 'switch') return [name, value];
  if (value !== 'on' && value !== 'off') throw new UsageError(`--set ${name} is on or off, not "${value}".`);
  return [name, value === 'on'];
}

function assignment(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`"${text}" should be NAME=VALUE.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function extra(options: CliOptions): { extraArguments?: string } {
  return definedOnly({ extraArguments: options.text('extra') });
}

function checked(options: CliOptions, spec: Record<string, unknown>, name: string): TrainingRequest {
  const resources = jobResourcesSchema.parse({
    gpus: options.count('gpus', 0, 64) ?? 0,
    ...definedOnly({
      gpuIds: options.text('gpu-ids')?.split(','),
      minutes: options.count('minutes', 1, 43_200),
      partition: options.text('partition'),
      account: options.text('account'),
      slurmOptions: options.text('slurm-options'),
    }),
  });
  const request = {
    name: options.text('name') ?? name,
    machineId: options.text('machine') ?? LOCAL_MACHINE,
    spec,
    setUp: options.text('set-up') ?? '',
    env: Object.fromEntries(options.all('env').map(assignment)),
    resources,
    ...definedOnly({ restarts: options.count('restarts', 0, MAX_RESTARTS) }),
    ...graderOf(options),
  };
  return parsed(request);
}

function graderOf(options: CliOptions): { readonly grader?: Record<string, unknown> } {
  const address = options.text('grader');
  const named = options.text('grader-token-file');
  const isHere = (options.text('machine') ?? LOCAL_MACHINE) === LOCAL_MACHINE;
  const tokenFile = named === undefined || !isHere || named.startsWith('~/') ? named : resolve(named);
  if (address === undefined && tokenFile !== undefined)
    throw new UsageError('--grader-token-file is for a grader service: name its address with --grader.');
  return address === undefined ? {} : { grader: { address, ...definedOnly({ tokenFile }) } };
}

function parsed(value: unknown, of = ''): TrainingRequest {
  const request = trainingRequestSchema.safeParse(value, { reportInput: true });
  if (request.success) return request.data;
  throw new UsageError(`${of}${payloadProblem('training.start', request.error)}`);
}
