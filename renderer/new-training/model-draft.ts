import type { TrainingMethod } from '../../preload/contract/learning';
import {
  MODEL_AGENT_LIMITS,
  MODEL_FIELD_GROUPS,
  modelOfTexts,
  PLAIN_MODEL_TRAINING,
  pastedProblemIds,
  type SamplingTexts,
  samplingOfTexts,
  type TrainingTexts,
  textOfProblemIds,
  textsOfModel,
  textsOfSampling,
  trainingMethodOf,
} from '../../preload/contract/plans/index';
import type { ModelAgent, ModelTraining } from '../../preload/contract/training-spec';
import { wholeNumber } from '../widgets/typed-numbers';
import { ABSOLUTE_PATH, type Checked, type FieldError, isAbsolutePath, missing, wrong } from './form-errors';
import { learningWarnings, withDefaults } from './learning-draft';

export type ModelAgentDraft = {
  readonly key: number;
  readonly id: string;
  readonly model: string;
  readonly maxTokens: string;
  /** Empty: as the chat template has it. */
  readonly thinking: '' | 'on' | 'off';
  readonly extraction: ModelAgent['extraction'];
};

/** Problems of a benchmark, as entered. */
export type ProblemsDraft = {
  /** null: none chosen. */
  readonly benchmarkId: string | null;
  /** Ids, a line each; empty: all problems. */
  readonly ids: string;
};

export type ModelDraft = {
  readonly method: TrainingMethod;
  readonly agents: readonly ModelAgentDraft[];
  readonly trains: 'adapters' | 'weights';
  readonly problems: ProblemsDraft;
  /** null: on problems of the benchmark that it does not train on. */
  readonly evaluateOn: ProblemsDraft | null;
  /** Of the evaluation; empty fields are as in training. */
  readonly sampling: SamplingTexts;
  readonly seed: string;
  readonly python: string;
  /** Every field of training-fields.ts, as entered. */
  readonly texts: TrainingTexts;
};

const { seed: SEED, python: PYTHON, ...SETTINGS } = PLAIN_MODEL_TRAINING;
/** The default texts of the fields. */
export const DEFAULT_MODEL_TEXTS: TrainingTexts = textsOfModel(SETTINGS);

function agentDraft(key: number): ModelAgentDraft {
  const id = `agent-${key + 1}`;
  return { key, id, model: '', maxTokens: '1024', thinking: '', extraction: 'last-fence' };
}

export const EMPTY_MODEL: ModelDraft = {
  method: 'heter-mars2',
  agents: [agentDraft(0), agentDraft(1)],
  trains: 'adapters',
  problems: { benchmarkId: null, ids: '' },
  evaluateOn: null,
  sampling: {},
  seed: String(SEED),
  python: PYTHON,
  texts: DEFAULT_MODEL_TEXTS,
};

export function draftOfModel(training: ModelTraining): ModelDraft {
  const { method, agents, problems, evaluation, seed, python, ...settings } = training;
  const texts = textsOfModel({ ...settings, problems, evaluation });
  const isAdapters = settings.lora !== null;
  return {
    method,
    agents: agents.map(({ id, model, maxTokens, thinking, extraction }, key) => ({
      key,
      id,
      model,
      maxTokens: String(maxTokens),
      thinking: thinking === undefined ? '' : thinking ? 'on' : 'off',
      extraction,
    })),
    trains: isAdapters ? 'adapters' : 'weights',
    problems: problemsDraft(problems),
    evaluateOn: evaluation.on === null ? null : problemsDraft(evaluation.on),
    sampling: textsOfSampling(evaluation.sampling ?? {}),
    seed: String(seed),
    python,
    texts: isAdapters ? texts : withAdapterTexts(texts, DEFAULT_MODEL_TEXTS),
  };
}

function problemsDraft({ benchmarkId, problemIds }: ModelTraining['problems']): ProblemsDraft {
  return { benchmarkId, ids: problemIds === null ? '' : textOfProblemIds(problemIds) };
}

function withAdapterTexts(texts: TrainingTexts, of: TrainingTexts): TrainingTexts {
  return { ...texts, 'lora.rank': of['lora.rank'] ?? '', 'lora.alpha': of['lora.alpha'] ?? '' };
}

/** Adds an agent, of the same model as the last. */
export function withModelAgent(draft: ModelDraft): ModelDraft {
  const key = Math.max(-1, ...draft.agents.map((agent) => agent.key)) + 1;
  const last = draft.agents.at(-1);
  const { id } = agentDraft(key);
  return { ...draft, agents: [...draft.agents, { ...(last ?? agentDraft(key)), key, id }] };
}

/** e.g. "Heter-MARS², Qwen3-0.6B + SmolLM2-135M" */
export function modelName({ method, agents }: Pick<ModelDraft, 'method' | 'agents'>): string {
  const { name } = trainingMethodOf(method);
  const models = [...new Set(agents.map(({ model }) => lastPart(model)))].filter((model) => model !== '');
  return models.length === 0 ? name : `${name}, ${models.join(' + ')}`.slice(0, 120);
}

/** "Qwen3-8B" of "Qwen/Qwen3-8B" and "/models/Qwen3-8B/". */
export function lastPart(model: string): string {
  return (
    model
      .trim()
      .replace(/(?<!\/)\/+$/, '')
      .split('/')
      .at(-1) ?? ''
  );
}

/** Errors and value; fields that are not shown cause no errors. */
export function checkModel(
  draft: ModelDraft,
  /** Ids of the library's benchmarks; null: not known yet. */
  benchmarkIds: readonly string[] | null,
): Checked<ModelTraining> {
  const errors: FieldError[] = [...agentErrors(draft)];
  const seed = wholeNumber(draft.seed, [0, 2_147_483_647]);
  if (!seed.ok) errors.push(wrong('seed', seed.message));
  const python = draft.python.trim();
  if (python === '') errors.push(missing('python', 'Enter the Python that has torch and transformers.'));
  errors.push(...benchmarkErrors('benchmark', draft.problems, benchmarkIds));
  if (draft.evaluateOn !== null) {
    errors.push(...benchmarkErrors('evaluation.benchmark', draft.evaluateOn, benchmarkIds));
  }
  const texts = shownTexts(draft);
  if (
    draft.trains === 'adapters' &&
    texts['lora.rank']?.trim() === '' &&
    texts['lora.alpha']?.trim() === ''
  ) {
    errors.push(wrong('lora.rank', 'Needs a value. Without adapters, choose all weights.'));
  }
  const read = modelOfTexts(texts);
  if (!read.ok) errors.push(...read.errors.map(({ id, message }) => wrong(id, message)));
  const { sampling, problems } = samplingOfTexts(draft.sampling);
  errors.push(
    ...problems.map(({ setting, message }) => wrong(`sampling.${setting.field}`, `Must be ${message}.`)),
  );
  const settings = read.ok ? read.value : { ...SETTINGS, problems: {} };
  return {
    errors,
    warnings: errors.length === 0 ? learningWarnings(draft.method, settings) : [],
    value: {
      kind: 'model',
      method: draft.method,
      agents: draft.agents.map(agentOf),
      ...settings,
      problems: { ...problemsOf(draft.problems), ...settings.problems },
      seed: seed.ok ? seed.value : SEED,
      evaluation: {
        ...settings.evaluation,
        on: draft.evaluateOn === null ? null : problemsOf(draft.evaluateOn),
        ...(Object.keys(sampling).length === 0 ? {} : { sampling }),
      },
      python,
    },
  };
}

function benchmarkErrors(
  at: string,
  { benchmarkId }: ProblemsDraft,
  known: readonly string[] | null,
): readonly FieldError[] {
  if (benchmarkId === null) return [missing(at, 'Choose a benchmark.')];
  if (known === null || known.includes(benchmarkId)) return [];
  return [wrong(at, `${benchmarkId} is not in the Library. Choose another benchmark.`)];
}

function agentErrors({ method, agents }: ModelDraft): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { name, families: fewest } = trainingMethodOf(method);
  if (agents.length < fewest) errors.push(wrong('agents', `${name} needs two agents.`));
  agents.forEach(({ key, id, model, maxTokens }, position) => {
    const ownId = id.trim();
    if (ownId === '') errors.push(missing(`id ${key}`, 'Enter a name.'));
    else if (!MODEL_AGENT_LIMITS.id.test(ownId)) {
      errors.push(wrong(`id ${key}`, 'Small letters, digits and dashes, at most 41.'));
    } else if (agents.findIndex((agent) => agent.id.trim() === ownId) < position) {
      errors.push(wrong(`id ${key}`, 'Another agent has this name.'));
    }
    const path = model.trim();
    if (path === '') errors.push(missing(`model ${key}`, 'Enter a model folder or a GGUF file.'));
    else if (!isAbsolutePath(path)) errors.push(wrong(`model ${key}`, ABSOLUTE_PATH));
    const tokens = wholeNumber(maxTokens, MODEL_AGENT_LIMITS.maxTokens);
    if (!tokens.ok) errors.push(wrong(`tokens ${key}`, tokens.message));
  });
  return errors;
}

function agentOf({ id, model, maxTokens, thinking, extraction }: ModelAgentDraft): ModelAgent {
  return {
    id: id.trim(),
    model: model.trim(),
    maxTokens: Number(maxTokens),
    ...(thinking === '' ? {} : { thinking: thinking === 'on' }),
    extraction,
  };
}

function problemsOf({ benchmarkId, ids }: ProblemsDraft): ModelTraining['problems'] {
  const problemIds = pastedProblemIds(ids);
  return { benchmarkId: benchmarkId ?? '', problemIds: problemIds.length === 0 ? null : [...problemIds] };
}

/** Without updates only these matter. */
const USED_BY_BASE = new Set(
  MODEL_FIELD_GROUPS.filter(({ id }) => ['evaluation', 'writer', 'compute'].includes(id)).flatMap(
    ({ fields }) => fields.map(({ id }) => id),
  ),
);

/** The texts that count: hidden fields have their defaults, and nothing where all weights are trained. */
function shownTexts({ method, trains, texts }: ModelDraft): TrainingTexts {
  const own = method === 'base' ? withDefaults(texts, DEFAULT_MODEL_TEXTS, USED_BY_BASE) : texts;
  return trains === 'weights' ? withAdapterTexts(own, {}) : own;
}
