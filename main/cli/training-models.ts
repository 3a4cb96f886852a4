import { readFile } from 'node:fs/promises';
import {
  type ModelAgent,
  type ModelTraining,
  modelAgentSchema,
  modelOfTexts,
  PLAIN_MODEL_TRAINING,
  pastedProblemIds,
  SAMPLING_SETTINGS,
  samplingOfTexts,
  trainingMethodSchema,
} from '../../preload/contract/index';
import { type CliOptions, definedOnly, UsageError } from './cli-options';
import { fieldError, fieldTexts } from './training-fields';

/** The spec of "trainings start model" and "plan model". Throws UsageError. */
export async function modelSpec(options: CliOptions): Promise<ModelTraining> {
  const agents = options.all('agent').map(modelAgentOf);
  if (agents.length === 0)
    throw new UsageError('--agent is missing: --agent NAME=MODEL, once for each agent.');
  const texts = { ...fieldTexts('model', options), ...adapterTexts(options), ...passRangeTexts(options) };
  const read = modelOfTexts(texts);
  const [error] = read.ok ? [] : read.errors;
  if (error !== undefined) throw fieldError('model', error, texts);
  if (!read.ok) throw new Error('Texts that are refused have an error');
  const on = options.text('evaluate-on');
  return {
    kind: 'model',
    method: options.choice('method', trainingMethodSchema.options) ?? 'heter-mars2',
    agents,
    ...read.value,
    problems: {
      ...(await problemsOf(options.required('benchmark'), options.text('problems'))),
      ...read.value.problems,
    },
    seed: options.count('seed', 0, 2_147_483_647) ?? PLAIN_MODEL_TRAINING.seed,
    evaluation: {
      ...read.value.evaluation,
      on: on === undefined ? null : await evaluatedOn(on),
      ...evaluationSampling(options.all('evaluation-sampling')),
    },
    python: PLAIN_MODEL_TRAINING.python,
  };
}

/** "--lora 8" sets the rank, "--lora off" trains all weights. */
function adapterTexts(options: CliOptions): Record<string, string> {
  const rank = options.text('lora');
  const alpha = options.text('lora-alpha');
  if (rank === 'off') {
    if (alpha !== undefined) throw new UsageError('--lora-alpha does not belong to --lora off.');
    return { 'lora.rank': '', 'lora.alpha': '' };
  }
  return definedOnly({ 'lora.rank': rank, 'lora.alpha': alpha }) as Record<string, string>;
}

/** "--pass-at-1 10-80": percent. */
function passRangeTexts(options: CliOptions): Record<string, string> {
  const range = options.text('pass-at-1');
  if (range === undefined) return {};
  const [, from, to] = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(range) ?? [];
  if (from === undefined || to === undefined || Number(from) > Number(to) || Number(to) > 100) {
    throw new UsageError(`--pass-at-1 is a range of percent such as 10-80, not "${range}".`);
  }
  return {
    'problems.choose.from': String(Number(from) / 100),
    'problems.choose.to': String(Number(to) / 100),
  };
}

/** "NAME=MODEL" or "NAME=MODEL{max-tokens=512,thinking=off,extraction=whole}". */
function modelAgentOf(text: string): ModelAgent {
  const [, id = '', model = '', braces = ''] = /^([^={}]+)=([^{}]+)(?:\{([^{}]*)\})?$/.exec(text) ?? [];
  if (id === '') throw agentError(`not "${text}"`);
  const fields: Record<string, unknown> = {};
  for (const part of braces.split(',').filter((part) => part.trim() !== '')) {
    const [name = '', value = ''] = part.split('=').map((word) => word.trim());
    if (name === 'max-tokens') fields.maxTokens = Number(value);
    else if (name === 'thinking' && (value === 'on' || value === 'off')) fields.thinking = value === 'on';
    else if (name === 'extraction') fields.extraction = value;
    else throw agentError(`not "${part.trim()}"`);
  }
  const agent = modelAgentSchema.safeParse({ id: id.trim(), model: model.trim(), ...fields });
  if (agent.success) return agent.data;
  const [issue] = agent.error.issues;
  throw agentError(`and of "${text}" ${issue?.path.join('.')} ${issue?.message}`);
}

function agentError(message: string): UsageError {
  return new UsageError(
    `--agent takes NAME=MODEL{max-tokens=512,thinking=off,extraction=last-fence}, ${message}.`,
  );
}

/** `ids`: "ID,ID" or a file with one id per line; undefined: all problems. */
async function problemsOf(benchmarkId: string, ids: string | undefined): Promise<ModelTraining['problems']> {
  if (ids === undefined) return { benchmarkId, problemIds: null };
  const problemIds = pastedProblemIds((await textOfFile(ids)) ?? ids);
  if (problemIds.length === 0) throw new UsageError(`"${ids}" names no problems.`);
  return { benchmarkId, problemIds: [...problemIds] };
}

/** null: there is no such file. */
async function textOfFile(path: string): Promise<string | null> {
  try {
    // A line end makes it a list of lines, so that ids may have commas.
    return `${await readFile(path, 'utf8')}\n`;
  } catch {
    return null;
  }
}

/** "BENCHMARK", "BENCHMARK:ID,ID" or "BENCHMARK:FILE". */
function evaluatedOn(text: string): Promise<ModelTraining['problems']> {
  const colon = text.indexOf(':');
  return colon === -1 ? problemsOf(text, undefined) : problemsOf(text.slice(0, colon), text.slice(colon + 1));
}

function evaluationSampling(assigned: readonly string[]): Pick<ModelTraining['evaluation'], 'sampling'> {
  if (assigned.length === 0) return {};
  const texts = Object.fromEntries(
    assigned.map((text) => {
      const at = text.indexOf('=');
      const setting = SAMPLING_SETTINGS.find(({ option }) => option === text.slice(0, Math.max(0, at)));
      if (setting === undefined) {
        const names = SAMPLING_SETTINGS.map(({ option }) => option).join(', ');
        throw new UsageError(`--evaluation-sampling takes NAME=VALUE of: ${names}; not "${text}".`);
      }
      return [setting.field, text.slice(at + 1)];
    }),
  );
  const { sampling, problems } = samplingOfTexts(texts);
  const [problem] = problems;
  if (problem !== undefined) {
    throw new UsageError(`--evaluation-sampling: ${problem.setting.option} is ${problem.message}.`);
  }
  return { sampling };
}
