import type { Exhibit } from '../../preload/contract/exhibit';
import type { Environment } from '../../preload/contract/launch';
import type { TrainingMethod } from '../../preload/contract/learning';
import { type ChosenParts, cellKey, chosenKeys, readSeeds } from '../../preload/contract/plans/index';
import type { PaperSettings, ReproductionRequest } from '../../preload/contract/reproduction';
import type { ExhibitScale } from '../state/index';

/** An existing checkpoint, as entered in the form. */
export type CheckpointDraft = {
  /** Key of the row in the form. */
  readonly key: number;
  readonly modelId: string;
  readonly method: TrainingMethod;
  /** Ids of all models of its training. */
  readonly trainedWith: readonly string[];
  readonly path: string;
};

/** Paths and settings of the lab, as entered; texts may be empty. */
export type PaperDraft = {
  /** By the exhibit's model id. */
  readonly weights: Readonly<Record<string, string>>;
  readonly checkpoints: readonly CheckpointDraft[];
  readonly trainer: 'own' | 'marti';
  readonly trainingBenchmark: string;
  readonly learnerPython: string;
  readonly updates: string;
  readonly martiCheckout: string;
  readonly martiPython: string;
  readonly trainingData: string;
  readonly trainingOutput: string;
  readonly environment: Environment['kind'];
  readonly environmentPlace: string;
  readonly gpusPerServer: string;
};

export type ReproductionDraft = {
  /** Empty: the exhibit's seeds. */
  readonly seeds: string;
  /** Empty: all of the exhibit's problems. */
  readonly problems: string;
  /** null: all machines. */
  readonly machineIds: readonly string[] | null;
  /** null: all that the exhibit has; at paper scale without our controls. */
  readonly parts: ChosenParts | null;
  /** Exactly these cells and lines, as they were asked for last, in the place of `parts`; null: `parts` counts. */
  readonly only: readonly string[] | null;
  readonly paper: PaperDraft;
};

export type ReproductionFieldError = {
  readonly at:
    | 'seeds'
    | 'problems'
    | 'machines'
    | 'parts'
    | 'environment'
    | 'gpus'
    | 'updates'
    | `checkpoint ${number}`;
  readonly message: string;
};

export const EMPTY_PAPER: PaperDraft = {
  weights: {},
  checkpoints: [],
  trainer: 'own',
  trainingBenchmark: '',
  learnerPython: '',
  updates: '300',
  martiCheckout: '',
  martiPython: '',
  trainingData: '',
  trainingOutput: '',
  environment: 'path',
  environmentPlace: '',
  gpusPerServer: '1',
};

/** All that the exhibit measures. */
export const WHOLE = {
  seeds: '',
  problems: '',
  parts: null,
  only: null,
} satisfies Partial<ReproductionDraft>;

export const EMPTY_DRAFT: ReproductionDraft = { ...WHOLE, machineIds: null, paper: EMPTY_PAPER };

/** What was asked for last, to be asked for again; cells and lines that the exhibit no longer has are left out. */
export function askedForLast(
  exhibit: Pick<Exhibit, 'cells' | 'series'>,
  { seeds = [], problems, only }: Pick<ReproductionRequest, 'seeds' | 'problems' | 'only'>,
): Partial<ReproductionDraft> {
  const known = new Set([...exhibit.cells.map(cellKey), ...exhibit.series.map(({ id }) => id)]);
  const left = only?.filter((key) => known.has(key)) ?? [];
  return {
    ...WHOLE,
    seeds: seeds.join(' '),
    problems: problems === undefined ? '' : String(problems),
    only: left.length === 0 ? null : left,
  };
}

const MAX_SEEDS = 20;

function integerOf(text: string, most: number): number | null {
  const value = Number(text);
  return /^\d+$/.test(text.trim()) && value >= 1 && value <= most ? value : null;
}

/** Without weights and checkpoints of other exhibits' models: the paths of a lab are kept for all exhibits together. */
export function draftFor({ models }: Pick<Exhibit, 'models'>, draft: ReproductionDraft): ReproductionDraft {
  const isOwn = (wanted: string): boolean => models.some(({ id }) => id === wanted);
  const { weights, checkpoints } = draft.paper;
  return {
    ...draft,
    paper: {
      ...draft.paper,
      weights: Object.fromEntries(Object.entries(weights).filter(([id]) => isOwn(id))),
      checkpoints: checkpoints.filter(({ modelId }) => isOwn(modelId)),
    },
  };
}

/** The request that the form describes, null with errors. Its paper part is used only at paper scale. */
export function checkDraft(
  draft: ReproductionDraft,
  exhibit: Pick<Exhibit, 'id' | 'rows' | 'columns' | 'cells' | 'series' | 'scales'>,
  scale: ExhibitScale,
): { readonly request: ReproductionRequest | null; readonly errors: readonly ReproductionFieldError[] } {
  const errors: ReproductionFieldError[] = [];
  const seeds = readSeeds(draft.seeds, MAX_SEEDS);
  if (!seeds.ok) errors.push({ at: 'seeds', message: seeds.message });
  const most = exhibit.scales[scale]?.benchmark.problems ?? 10_000;
  const problems = draft.problems.trim() === '' ? null : integerOf(draft.problems, most);
  if (draft.problems.trim() !== '' && problems === null) {
    errors.push({
      at: 'problems',
      message: `Enter a whole number from 1 to ${most.toLocaleString('en')}, or leave empty for all of the exhibit.`,
    });
  }
  if (draft.machineIds?.length === 0) {
    errors.push({ at: 'machines', message: 'Choose at least one machine.' });
  }
  const only = draft.only ?? (draft.parts === null ? null : chosenKeys(exhibit, draft.parts));
  if (only?.length === 0) {
    errors.push({ at: 'parts', message: 'Tick at least one row and one column, or a line.' });
  }
  const paper = scale === 'paper' ? paperOf(draft.paper, errors) : paperOf(EMPTY_PAPER, []);
  if (errors.length > 0 || !seeds.ok) return { request: null, errors };
  return {
    errors: errors,
    request: {
      exhibitId: exhibit.id,
      scale,
      ...(seeds.value.length === 0 ? {} : { seeds: [...seeds.value] }),
      ...(problems === null ? {} : { problems }),
      ...(only === null ? {} : { only: [...only] }),
      ...(draft.machineIds === null ? {} : { machineIds: [...draft.machineIds] }),
      paper,
    },
  };
}

function paperOf(draft: PaperDraft, errors: ReproductionFieldError[]): PaperSettings {
  const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
  const gpus = integerOf(draft.gpusPerServer, 16);
  const updates = integerOf(draft.updates, 100_000);
  if (updates === null) errors.push({ at: 'updates', message: 'Enter a whole number from 1 to 100,000.' });
  if (gpus === null) errors.push({ at: 'gpus', message: 'Enter a whole number from 1 to 16.' });
  if (draft.environment !== 'path' && draft.environmentPlace.trim() === '') {
    errors.push({ at: 'environment', message: 'Enter its location, or use the login shell.' });
  }
  for (const { key, path } of draft.checkpoints) {
    if (path.trim() === '') {
      errors.push({ at: `checkpoint ${key}`, message: 'Enter its folder, or remove the row.' });
    }
  }
  return {
    weights: Object.fromEntries(
      Object.entries(draft.weights).flatMap(([id, path]) =>
        path.trim() === '' ? [] : [[id, path.trim()] as const],
      ),
    ),
    checkpoints: draft.checkpoints.map(({ modelId, method, trainedWith, path }) => ({
      modelId,
      method,
      trainedWith: [...new Set([modelId, ...trainedWith])],
      path: path.trim(),
    })),
    trainer: draft.trainer,
    trainingBenchmark: orNull(draft.trainingBenchmark),
    learnerPython: orNull(draft.learnerPython) ?? 'python3',
    updates: updates ?? 300,
    martiCheckout: orNull(draft.martiCheckout),
    martiPython: orNull(draft.martiPython) ?? 'python3',
    trainingData: orNull(draft.trainingData),
    trainingOutput: orNull(draft.trainingOutput),
    environment:
      draft.environment === 'path'
        ? { kind: 'path' }
        : { kind: draft.environment, place: draft.environmentPlace.trim() },
    gpusPerServer: gpus ?? 1,
  };
}

/** The draft stored by an earlier form; invalid parts are left empty. */
export function paperDraftOf(text: string): PaperDraft {
  try {
    const draft: unknown = JSON.parse(text);
    if (typeof draft !== 'object' || draft === null) return EMPTY_PAPER;
    const stored = draft as Partial<Record<keyof PaperDraft, unknown>>;
    const texts = (
      [
        ...(['martiCheckout', 'martiPython', 'trainingData', 'trainingOutput', 'environmentPlace'] as const),
        ...(['trainingBenchmark', 'learnerPython'] as const),
      ] as const
    ).map((name) => [name, typeof stored[name] === 'string' ? stored[name] : ''] as const);
    const environment = (['path', 'venv', 'conda', 'module'] as const).find(
      (kind) => kind === stored.environment,
    );
    const weights =
      typeof stored.weights === 'object' && stored.weights !== null
        ? Object.entries(stored.weights).filter(
            (entry): entry is [string, string] => typeof entry[1] === 'string',
          )
        : [];
    return {
      ...EMPTY_PAPER,
      ...Object.fromEntries(texts),
      environment: environment ?? 'path',
      weights: Object.fromEntries(weights),
      trainer: stored.trainer === 'marti' ? 'marti' : 'own',
      updates: typeof stored.updates === 'string' ? stored.updates : EMPTY_PAPER.updates,
      gpusPerServer: typeof stored.gpusPerServer === 'string' ? stored.gpusPerServer : '1',
    };
  } catch {
    return EMPTY_PAPER;
  }
}

/** Props that the form's field groups share. */
export type DraftFieldProps = {
  readonly exhibit: Exhibit;
  readonly draft: ReproductionDraft;
  readonly errors: readonly ReproductionFieldError[];
  readonly onDraft: (draft: ReproductionDraft) => void;
};
