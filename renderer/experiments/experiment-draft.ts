import type { ExperimentRequest, ExperimentRow } from '../../preload/contract/experiment';
import {
  EXPERIMENT_PRESETS,
  type ExperimentPreset,
  experimentFromPreset,
  firstFreeName,
  PLAIN_POCKET_TRAINING,
  type PocketSettings,
  partsOf,
  pocketOfTexts,
  requiredSeeds,
  type TrainingTexts,
  textsOfPocket,
  trainingMethodOf,
} from '../../preload/contract/plans/index';
import type { PocketTraining } from '../../preload/contract/training-spec';
import { draftOfRow, type RowDraft, rowLabel } from './row-draft';

export type ExperimentDraft = {
  /** Empty: the name of `base`. */
  readonly name: string;
  /** Where the form started from: a preset, or an earlier experiment. */
  readonly base: ExperimentRequest;
  /** null: not from a preset. */
  readonly presetId: ExperimentPreset['id'] | null;
  readonly seeds: string;
  /** Settings shared by all rows, as entered, by field. */
  readonly texts: TrainingTexts;
  readonly rows: readonly RowDraft[];
};

export type FieldId = string;
/** missing: shown only after the user tries to start; wrong: shown at once. */
export type FieldError = {
  readonly at: FieldId;
  readonly kind: 'missing' | 'wrong';
  readonly message: string;
};
export type CheckedExperiment = {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
  /** null while there are errors. */
  readonly request: ExperimentRequest | null;
};

const { seed: _seed, ...DEFAULTS } = PLAIN_POCKET_TRAINING;
const MAX_ROWS = 40;
const WARN_TRAININGS = 100;

/** The preset that the form opens with. */
export function defaultPreset(): ExperimentPreset {
  const [first] = EXPERIMENT_PRESETS;
  if (first === undefined) throw new Error('There is no preset experiment.');
  return first;
}

/** The form filled in with a preset. */
export function draftOfPreset(ready: ExperimentPreset): ExperimentDraft {
  return { ...draftOfExperiment(experimentFromPreset(ready)), presetId: ready.id };
}

/** The form filled in like an earlier experiment. */
export function draftOfExperiment(base: ExperimentRequest): ExperimentDraft {
  const common = settingsOf(base);
  const texts = textsOfPocket(common);
  return {
    name: '',
    base,
    presetId: null,
    seeds: base.seeds.join(', '),
    texts,
    rows: base.rows.map((row, key) => {
      const rowTexts = textsOfPocket({ ...common, ...definedOf(row.change) });
      return { key, ...draftOfRow(row, rowTexts, texts) };
    }),
  };
}

/** The texts that the form started with; fields that differ were changed. */
export function baseTexts({ base }: ExperimentDraft): TrainingTexts {
  return textsOfPocket(settingsOf(base));
}

function settingsOf({ training }: ExperimentRequest): PocketSettings {
  return { ...DEFAULTS, ...definedOf(training) };
}

function nextKey(rows: readonly RowDraft[]): number {
  return Math.max(-1, ...rows.map(({ key }) => key)) + 1;
}

export function withRow(draft: ExperimentDraft, key: number, part: Partial<RowDraft>): ExperimentDraft {
  return { ...draft, rows: draft.rows.map((row) => (row.key === key ? { ...row, ...part } : row)) };
}

export function withoutRow(draft: ExperimentDraft, key: number): ExperimentDraft {
  return { ...draft, rows: draft.rows.filter((row) => row.key !== key) };
}

/** Inserts a copy below the original, with a new name. */
export function withRowCopied(draft: ExperimentDraft, key: number): ExperimentDraft {
  const names = new Set(draft.rows.map(rowLabel));
  const rows = draft.rows.flatMap((row) => {
    if (row.key !== key) return [row];
    const base = rowLabel(row).slice(0, 74);
    return [row, { ...row, key: nextKey(draft.rows), label: firstFreeName(base, ' ', names.add(base)) }];
  });
  return { ...draft, rows };
}

export function withRowAdded(draft: ExperimentDraft): ExperimentDraft {
  const model = draft.rows.at(-1);
  const families = model?.families ?? ['reader', 'tracer'];
  const used = new Set(draft.rows.map(({ method }) => method));
  const method = (['heter-mars2', 'rs2', 'grpo', 'homo-mars2', 'base'] as const).find(
    (candidate) => !used.has(candidate),
  );
  const row: RowDraft = {
    key: nextKey(draft.rows),
    label: '',
    method: method ?? 'rs2',
    families,
    overrides: {},
  };
  return { ...draft, rows: [...draft.rows, row] };
}

/** Moves a row up or down by one; no change at the ends. */
export function withRowMoved(draft: ExperimentDraft, key: number, by: -1 | 1): ExperimentDraft {
  const at = draft.rows.findIndex((row) => row.key === key);
  const row = draft.rows[at];
  const other = draft.rows[at + by];
  if (row === undefined || other === undefined) return draft;
  return { ...draft, rows: draft.rows.with(at, other).with(at + by, row) };
}

export function checkExperiment(draft: ExperimentDraft): CheckedExperiment {
  const errors: FieldError[] = [];
  const wrong = (at: FieldId, message: string, kind: FieldError['kind'] = 'wrong'): void => {
    errors.push({ at, kind, message });
  };
  const name = draft.name.trim() === '' ? draft.base.name : draft.name.trim();
  if (name.length > 120) wrong('name', 'At most 120 characters.');
  const seeds = requiredSeeds(draft.seeds);
  if (!seeds.ok) wrong('seeds', seeds.message);
  const common = pocketOfTexts(draft.texts);
  if (!common.ok) for (const { id, message } of common.errors) wrong(id, message);
  if (draft.rows.length === 0) wrong('rows', 'Add a row with a training method.', 'missing');
  if (draft.rows.length > MAX_ROWS) wrong('rows', `At most ${MAX_ROWS} rows in one experiment.`);
  const labels = draft.rows.map(rowLabel);
  const rows = draft.rows.flatMap((row, at): ExperimentRow[] => {
    const label = labels[at] ?? '';
    if (label.length > 80) wrong(`${row.key} label`, 'At most 80 characters.');
    if (labels.indexOf(label) !== at) {
      wrong(`${row.key} label`, `There is already a row "${label}". Choose another name.`);
    }
    const method = trainingMethodOf(row.method);
    if (row.families.length === 0) wrong(`${row.key} families`, 'Add at least one agent.', 'missing');
    else if (row.families.length < method.families) {
      wrong(`${row.key} families`, `${method.name} needs two agents.`);
    }
    const change = common.ok
      ? changeOf(row, draft.texts, (id, message) => wrong(`${row.key} ${id}`, message))
      : {};
    return [{ label, method: row.method, families: [...row.families], change }];
  });
  const request: ExperimentRequest | null =
    errors.length > 0 || !seeds.ok || !common.ok
      ? null
      : { name, rows, seeds: [...seeds.value], training: common.value };
  return { errors, warnings: request === null ? [] : warningsOf(request), request };
}

/** The parts of the training that the row overrides, complete. */
function changeOf(
  row: RowDraft,
  texts: TrainingTexts,
  wrong: (id: string, message: string) => void,
): ExperimentRow['change'] {
  const ids = Object.keys(row.overrides);
  if (ids.length === 0) return {};
  const read = pocketOfTexts({ ...texts, ...row.overrides });
  if (!read.ok) {
    for (const { id, message } of read.errors) wrong(id, message);
    return {};
  }
  return partsOf(read.value, ids);
}

function warningsOf({ rows, seeds, training }: ExperimentRequest): readonly string[] {
  const warnings: string[] = [];
  if (seeds.length < 2) {
    warnings.push('One seed cannot separate the effect of the method from training noise. Use five.');
  }
  if (!rows.some(({ method }) => trainingMethodOf(method).isControl) && rows.some(isTeam)) {
    warnings.push(
      'Without a control you cannot tell whether a gain comes from collaboration. Copy a row and choose a control.',
    );
  }
  const total = rows.length * seeds.length;
  if (total > WARN_TRAININGS) warnings.push(`${total} trainings: this will take long.`);
  if ((training.evaluation?.every ?? 0) > 0 && training.evaluation?.split === 'test') {
    warnings.push(
      'The test problems are evaluated during training: do not select anything by these numbers.',
    );
  }
  return warnings;
}

function isTeam({ method }: ExperimentRow): boolean {
  return method === 'heter-mars2';
}

/** The trainings of one seed, to estimate their time. */
export function trainingsOfSeed(request: ExperimentRequest): readonly PocketTraining[] {
  const seed = request.seeds[0] ?? 1;
  return request.rows.map(({ method, families, change }) => ({
    kind: 'pocket',
    ...DEFAULTS,
    ...definedOf(request.training),
    ...definedOf(change),
    method,
    families,
    seed,
  }));
}

/** Drops undefined fields, which would override defaults when spread. */
function definedOf<T extends object>(part: T): { [K in keyof T]-?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]-?: Exclude<T[K], undefined>;
  };
}

export type ExperimentSize = {
  readonly trainings: number;
  /** Training samples of all agents, rows and seeds. */
  readonly samples: number;
  /** Programs that the evaluations write and grade. */
  readonly evaluated: number;
  /** Samples per seed, by row. */
  readonly rows: readonly number[];
};

/** The size of an experiment. */
export function experimentSize(request: ExperimentRequest): ExperimentSize {
  const seeds = request.seeds.length;
  const trainings = trainingsOfSeed(request);
  const rows = trainings.map(({ method, updates, batch, families }) =>
    method === 'base' ? 0 : updates * batch * families.length,
  );
  const evaluated = trainings.map(({ evaluation, families }) => {
    const teams = families.length > 1 ? families.length + 1 : 1;
    return evaluation.problems * (evaluation.nodes * teams + evaluation.samples * families.length);
  });
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    trainings: rows.length * seeds,
    samples: sum(rows) * seeds,
    evaluated: sum(evaluated) * seeds,
    rows,
  };
}
