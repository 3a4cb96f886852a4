import { LOCAL_MACHINE } from '../../preload/contract/folds/local-machine';
import type { JobView } from '../../preload/contract/job';
import type { MachineView } from '../../preload/contract/machine';
import type { Recipe } from '../../preload/contract/recipe';
import type { TrainingView } from '../../preload/contract/training';
import type { TrainingRequest } from '../../preload/contract/training-spec';
import type { Trainer } from '../state/index';
import { type Checked, type FieldError, wrong } from './form-errors';
import {
  checkMachine,
  emptyMachineDraft,
  type MachineDraft,
  type MachineSettings,
  machineDraftOfJob,
} from './machine-draft';
import { checkMarti, draftOfMarti, EMPTY_MARTI, type MartiDraft, presetInfo } from './marti-draft';
import { checkPocket, draftOfPocket, EMPTY_POCKET, type PocketDraft, pocketName } from './pocket-draft';
import { checkRecipe, draftOfRecipe, EMPTY_RECIPE, type RecipeDraft } from './recipe-draft';

/** A training as it stands in the form. What was typed of one kind outlives a look at another. */
export type TrainingDraft = {
  readonly kind: Trainer;
  /** Empty: named after what it trains. */
  readonly name: string;
  readonly pocket: PocketDraft;
  readonly marti: MartiDraft;
  readonly recipe: RecipeDraft;
  /** Of a trainer of the user's own; pocket trainings run on this computer. */
  readonly machineDraft: MachineDraft;
};

export type CheckedTraining = {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
  /** null while there are faults. */
  readonly order: TrainingRequest | null;
};

export const EMPTY_TRAINING: TrainingDraft = {
  kind: 'pocket',
  name: '',
  pocket: EMPTY_POCKET,
  marti: EMPTY_MARTI,
  recipe: EMPTY_RECIPE,
  machineDraft: emptyMachineDraft(LOCAL_MACHINE),
};

/**
 * The form for a machine or a trainer, where the address names one, with all else as it was typed. Pocket trainings run
 * on this computer alone; on another machine it asks for a training that can run there.
 */
export function draftForRoute(
  draft: TrainingDraft,
  requested: { readonly machineId: string | null; readonly trainer: Trainer | null },
): TrainingDraft {
  const { machineId, trainer } = requested;
  const cannot = machineId !== null && machineId !== LOCAL_MACHINE && draft.kind === 'pocket';
  return {
    ...draft,
    kind: trainer ?? (cannot ? 'marti' : draft.kind),
    machineDraft: machineId === null ? draft.machineDraft : { ...draft.machineDraft, machineId, gpuIds: [] },
  };
}

/** The form filled in as this training was. `job` tells what it was given on the machine; null: not known any more. */
export function draftOfTraining(training: TrainingView, job: JobView | null): TrainingDraft {
  const { spec, machineId, name } = training;
  const machineDraft = job === null ? emptyMachineDraft(machineId) : machineDraftOfJob(job);
  const whole = { ...EMPTY_TRAINING, name, machineDraft };
  switch (spec.kind) {
    case 'pocket':
      return { ...whole, kind: 'pocket', pocket: draftOfPocket(spec) };
    case 'marti':
      return { ...whole, kind: 'marti', marti: draftOfMarti(spec) };
    case 'recipe':
      return { ...whole, kind: 'recipe', recipe: draftOfRecipe(spec) };
  }
}

/** What the training is called where nobody named it. */
export function trainingName(draft: TrainingDraft, recipe: Recipe | null): string {
  switch (draft.kind) {
    case 'pocket':
      return pocketName(draft.pocket);
    case 'marti': {
      const models = new Set(draft.marti.agents.map(({ model }) => lastPart(model)));
      const named = [...models].filter((model) => model !== '').join(' + ');
      const { name } = presetInfo(draft.marti.preset);
      return named === '' ? name : `${name}, ${named}`.slice(0, 120);
    }
    case 'recipe':
      return recipe?.name ?? '';
  }
}

/** "Qwen3-8B" of "Qwen/Qwen3-8B" and "/models/Qwen3-8B/". */
function lastPart(model: string): string {
  return model.trim().replace(/\/+$/, '').split('/').at(-1) ?? '';
}

/** All that can be said about a training before main sees it. */
export function checkTraining(
  draft: TrainingDraft,
  known: { readonly machine: MachineView | null; readonly recipe: Recipe | null },
): CheckedTraining {
  const spec: Checked<TrainingRequest['spec']> =
    draft.kind === 'pocket'
      ? checkPocket(draft.pocket)
      : draft.kind === 'marti'
        ? checkMarti(draft.marti)
        : checkRecipe(draft.recipe, known.recipe);
  const machineDraft: Checked<MachineSettings> =
    draft.kind === 'pocket' ? LOCAL : checkMachine(draft.machineDraft, known.machine);
  const name = draft.name.trim() === '' ? trainingName(draft, known.recipe) : draft.name.trim();
  const errors = [
    ...(name.length > 120 ? [wrong('name', 'At most 120 characters.')] : []),
    ...spec.errors,
    ...machineDraft.errors,
  ];
  return {
    errors: errors,
    warnings: [...spec.warnings, ...machineDraft.warnings, ...gpuWarnings(draft)],
    order: errors.length > 0 ? null : { name, spec: spec.value, ...machineDraft.value },
  };
}

/** A MARTI preset says itself how many it needs; of another trainer nobody else does. */
function gpuWarnings({ kind, machineDraft }: TrainingDraft): readonly string[] {
  if (kind !== 'recipe' || machineDraft.gpuMode !== 'none') return [];
  return ['No GPU is asked for, and most trainers need one.'];
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
