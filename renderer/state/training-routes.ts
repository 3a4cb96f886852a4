import { assertNever } from '../../preload/contract/assert-never';
import { withQuery } from './route-query';

/** The tabs of a training. */
export const TRAINING_TABS = ['curves', 'checkpoints', 'rollouts', 'evaluation', 'log', 'order'] as const;
export type TrainingTab = (typeof TRAINING_TABS)[number];

const TRAINERS = ['pocket', 'model', 'marti', 'recipe'] as const;
/** Our own of pocket policies or of language models, MARTI, or another one with a recipe. */
export type Trainer = (typeof TRAINERS)[number];

export type TrainingRoute =
  | { readonly kind: 'trainings' }
  | { readonly kind: 'training'; readonly trainingId: string; readonly tab: TrainingTab }
  /** The form that starts a training; `from`: a training to copy; `machineId`: the preselected machine. */
  | {
      readonly kind: 'new-training';
      readonly machineId: string | null;
      readonly from?: string;
      readonly trainer?: Trainer;
    }
  | { readonly kind: 'experiments' }
  /** `dialog`: the one that is opened with it. */
  | { readonly kind: 'experiment'; readonly experimentId: string; readonly dialog?: 'export' }
  /** `preset`: the initial content of the form. */
  | { readonly kind: 'new-experiment'; readonly preset?: string };

/** The route of the path segments below /training or /experiments, or null. */
export function parseTrainingPath(parts: readonly string[], query: URLSearchParams): TrainingRoute | null {
  const [first, second, ...rest] = parts;
  if (rest.length > 0) return null;
  // Ids of trainings and experiments begin with a date, so none is called "new".
  if (first === 'training') {
    if (second === undefined) return { kind: 'trainings' };
    if (second === 'new') {
      const from = query.get('from');
      const trainer = TRAINERS.find((trainer) => trainer === query.get('trainer'));
      return {
        kind: 'new-training',
        machineId: query.get('machine'),
        ...(from === null ? {} : { from }),
        ...(trainer === undefined ? {} : { trainer }),
      };
    }
    const tab = TRAINING_TABS.find((tab) => tab === query.get('tab')) ?? 'curves';
    return { kind: 'training', trainingId: second, tab };
  }
  if (first === 'experiments') {
    if (second === undefined) return { kind: 'experiments' };
    if (second === 'new') {
      const preset = query.get('preset');
      return { kind: 'new-experiment', ...(preset === null ? {} : { preset }) };
    }
    const isExport = query.get('dialog') === 'export';
    return { kind: 'experiment', experimentId: second, ...(isExport ? { dialog: 'export' } : {}) };
  }
  return null;
}

/** Inverse of `parseTrainingPath`. */
export function pathOfTraining(route: TrainingRoute): string {
  switch (route.kind) {
    case 'trainings':
      return '/training';
    case 'training': {
      const path = `/training/${encodeURIComponent(route.trainingId)}`;
      return withQuery(path, { tab: route.tab === 'curves' ? null : route.tab });
    }
    case 'new-training':
      return withQuery('/training/new', {
        machine: route.machineId,
        from: route.from ?? null,
        trainer: route.trainer ?? null,
      });
    case 'experiments':
      return '/experiments';
    case 'experiment':
      return withQuery(`/experiments/${encodeURIComponent(route.experimentId)}`, {
        dialog: route.dialog ?? null,
      });
    case 'new-experiment':
      return withQuery('/experiments/new', { preset: route.preset ?? null });
    default:
      return assertNever(route);
  }
}
