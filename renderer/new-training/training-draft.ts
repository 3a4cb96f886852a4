import { assertNever } from '../../preload/contract/assert-never';
import { LOCAL_MACHINE } from '../../preload/contract/folds/local-machine';
import type { JobView } from '../../preload/contract/job';
import type { MachineView } from '../../preload/contract/machine';
import { DEFAULT_RESTARTS, MAX_RESTARTS, type Sweep } from '../../preload/contract/plans/index';
import type { Recipe } from '../../preload/contract/recipe';
import type { TrainingView } from '../../preload/contract/training';
import type { TrainingRequest } from '../../preload/contract/training-spec';
import type { Trainer } from '../state/index';
import { type Checked, type FieldError, wrong } from './form-errors';
import { draftOfGrader, type GraderDraft, graderErrors, graderOf, NO_GRADER } from './grader-draft';
import {
  checkMachine,
  emptyMachineDraft,
  type MachineDraft,
  type MachineSettings,
  machineDraftOfJob,
} from './machine-draft';
import { checkMarti, draftOfMarti, EMPTY_MARTI, type MartiDraft, presetInfo } from './marti-draft';
import { checkModel, draftOfModel, EMPTY_MODEL, lastPart, type ModelDraft, modelName } from './model-draft';
import { checkPocket, draftOfPocket, EMPTY_POCKET, type PocketDraft, pocketName } from './pocket-draft';
import { checkRecipe, draftOfRecipe, EMPTY_RECIPE, type RecipeDraft } from './recipe-draft';
import { checkSweep, NO_SWEEP, type SweepDraft, shownSweep, sweepSettings, sweptName } from './sweep-draft';

/** The form's content. Switching the kind of trainer keeps what was entered for the others. */
export type TrainingDraft = {
  readonly kind: Trainer;
  /** Empty: a default name. */
  readonly name: string;
  /** How often it is restarted by itself, as entered; empty: as usual. */
  readonly restarts: string;
  /** Of our own trainers. */
  readonly grader: GraderDraft;
  readonly pocket: PocketDraft;
  readonly model: ModelDraft;
  readonly marti: MartiDraft;
  readonly recipe: RecipeDraft;
  readonly sweep: SweepDraft;
  /** For every kind except pocket; pocket trainings run on this computer. */
  readonly machineDraft: MachineDraft;
};

export type CheckedTraining = {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
  /** null while there are errors, except for errors of the sweep. */
  readonly request: TrainingRequest | null;
  /** What is started instead of the one training; null: nothing. */
  readonly sweep: Sweep | null;
};

export const EMPTY_TRAINING: TrainingDraft = {
  kind: 'pocket',
  name: '',
  restarts: '',
  grader: NO_GRADER,
  pocket: EMPTY_POCKET,
  model: EMPTY_MODEL,
  marti: EMPTY_MARTI,
  recipe: EMPTY_RECIPE,
  sweep: NO_SWEEP,
  machineDraft: emptyMachineDraft(LOCAL_MACHINE),
};

/** Applies machine and trainer of the route to the draft. */
export function draftForRoute(
  draft: TrainingDraft,
  requested: { readonly machineId: string | null; readonly trainer: Trainer | null },
): TrainingDraft {
  const { machineId, trainer } = requested;
  return {
    ...draft,
    kind: trainer ?? draft.kind,
    machineDraft: machineId === null ? draft.machineDraft : { ...draft.machineDraft, machineId, gpuIds: [] },
  };
}

/** The form filled in like an earlier training. `job`: its job, for machine settings; null: removed. */
export function draftOfTraining(training: TrainingView, job: JobView | null): TrainingDraft {
  const { spec, machineId, name } = training;
  const machineDraft = job === null ? emptyMachineDraft(machineId) : machineDraftOfJob(job);
  const restarts = job === null ? '' : String(job.retry.lost);
  const grader = draftOfGrader(training.grader);
  const draft = { ...EMPTY_TRAINING, name, restarts, grader, machineDraft };
  switch (spec.kind) {
    case 'pocket':
      return { ...draft, kind: 'pocket', pocket: draftOfPocket(spec) };
    case 'model':
      return { ...draft, kind: 'model', model: draftOfModel(spec) };
    case 'marti':
      return { ...draft, kind: 'marti', marti: draftOfMarti(spec) };
    case 'recipe':
      return { ...draft, kind: 'recipe', recipe: draftOfRecipe(spec) };
    case 'watched':
      // It was started by another program: only its name and machine are known.
      return draft;
    default:
      return assertNever(spec);
  }
}

/** The default name of the training. */
export function trainingName(draft: TrainingDraft, recipe: Recipe | null): string {
  switch (draft.kind) {
    case 'pocket':
      return sweptName(pocketName(draft.pocket), draft);
    case 'model':
      return sweptName(modelName(draft.model), draft);
    case 'marti': {
      const models = new Set(draft.marti.agents.map(({ model }) => lastPart(model)));
      const named = [...models].filter((model) => model !== '').join(' + ');
      const { name } = presetInfo(draft.marti.preset);
      return named === '' ? name : `${name}, ${named}`.slice(0, 120);
    }
    case 'recipe':
      return recipe?.name ?? '';
    default:
      return assertNever(draft.kind);
  }
}

type Known = {
  readonly machine: MachineView | null;
  readonly recipe: Recipe | null;
  /** Of the library; null: not known yet. */
  readonly benchmarkIds: readonly string[] | null;
};

function checkSpec(draft: TrainingDraft, { recipe, benchmarkIds }: Known): Checked<TrainingRequest['spec']> {
  switch (draft.kind) {
    case 'pocket':
      return checkPocket(draft.pocket);
    case 'model':
      return checkModel(draft.model, benchmarkIds);
    case 'marti':
      return checkMarti(draft.marti);
    case 'recipe':
      return checkRecipe(draft.recipe, recipe);
    default:
      return assertNever(draft.kind);
  }
}

/** Checks the draft in the window: errors, warnings, and the request if there are no errors. */
export function checkTraining(draft: TrainingDraft, known: Known): CheckedTraining {
  const spec = checkSpec(draft, known);
  const machineDraft = checkMachineOf(draft, known);
  const name = draft.name.trim() === '' ? trainingName(draft, known.recipe) : draft.name.trim();
  const restarts = draft.restarts.trim() === '' ? DEFAULT_RESTARTS : Number(draft.restarts);
  const mayRestart = Number.isInteger(restarts) && restarts >= 0 && restarts <= MAX_RESTARTS;
  const isOwn = draft.kind === 'pocket' || draft.kind === 'model';
  const errors = [
    ...(isOwn ? graderErrors(draft.grader) : []),
    ...(mayRestart ? [] : [wrong('restarts', `A whole number from 0 to ${MAX_RESTARTS}.`)]),
    ...(name.length > 120 ? [wrong('name', 'At most 120 characters.')] : []),
    ...spec.errors,
    ...machineDraft.errors,
  ];
  const request: TrainingRequest | null =
    errors.length > 0
      ? null
      : {
          name,
          spec: spec.value,
          ...machineDraft.value,
          ...(draft.restarts.trim() === '' ? {} : { restarts }),
          ...(isOwn ? graderOf(draft.grader) : {}),
        };
  const { sweep, errors: sweepErrors } = checkSweep(
    shownSweep(draft.sweep, sweepSettings(draft, known.recipe)),
    request,
    known.recipe,
  );
  return {
    errors: [...errors, ...sweepErrors],
    warnings: [...spec.warnings, ...machineDraft.warnings, ...gpuWarnings(draft, known)],
    request,
    sweep,
  };
}

/** Pocket policies need no GPU, and nothing to be set on this computer. */
function checkMachineOf(
  { kind, machineDraft }: TrainingDraft,
  { machine, recipe }: Known,
): Checked<MachineSettings> {
  // Its field says how many: a number that an earlier training requested is no longer shown.
  const isCounted = kind === 'recipe' && (recipe?.gpus ?? null) !== null && machineDraft.gpuMode === 'any';
  if (isCounted) return checkMachine({ ...machineDraft, gpuMode: 'none' }, machine);
  if (kind !== 'pocket') return checkMachine(machineDraft, machine);
  if (machineDraft.machineId === LOCAL_MACHINE) return LOCAL;
  return checkMachine({ ...machineDraft, gpuMode: 'none' }, machine);
}

/** MARTI presets, learners and most recipes determine their number of GPUs. */
function gpuWarnings({ kind, machineDraft }: TrainingDraft, { recipe }: Known): readonly string[] {
  if (kind !== 'recipe' || machineDraft.gpuMode !== 'none' || (recipe?.gpus ?? null) !== null) return [];
  return ['No GPUs requested, but most trainers need one.'];
}

const LOCAL: Checked<MachineSettings> = {
  errors: [],
  warnings: [],
  value: {
    machineId: LOCAL_MACHINE,
    setUp: '',
    env: {},
    resources: {
      gpus: 0,
      gpuIds: null,
      gpuMemoryMib: null,
      minutes: null,
      partition: null,
      account: null,
      slurmOptions: null,
    },
  },
};
