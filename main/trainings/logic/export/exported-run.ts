import type { Scale, TrainingCurve, TrainingView } from '../../../../preload/contract';
import { trainingMethodOf } from '../../../../preload/contract/plans';

/** What leaves of a training: its curves, and what labels them. */
export type ExportedRun = {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly scale: Scale;
  /** ISO date of its start, and the same in whole seconds since 1970. */
  readonly startedAt: string;
  readonly startedAtS: number;
  /** What was set, for a table of runs. */
  readonly settings: Readonly<Record<string, string | number | readonly string[]>>;
  readonly curves: readonly TrainingCurve[];
};

/** What a scale says of the numbers, wherever they go. */
export const SCALE_TEXTS: Readonly<Record<Scale, string>> = {
  pocket: 'pocket: small policies on generated problems; these numbers say nothing about large models',
  recorded: 'recorded: replayed outputs of a model',
  desk: "desk: a small language model by name, not one of the papers'",
  own: 'own: a language model that was trained here, not one of the papers',
  paper: "paper: the papers' models, by their names",
};

/** A file is named by the part of the id that lists show. */
export function shortId({ id }: Pick<ExportedRun, 'id'>): string {
  return (
    id
      .replaceAll(/[^A-Za-z0-9]/g, '')
      .slice(0, 8)
      .toLowerCase() || 'run'
  );
}

/** `startedAtS`: `view.createdAt` in seconds since 1970. */
export function exportedRun(
  view: TrainingView,
  curves: readonly TrainingCurve[],
  startedAtS: number,
): ExportedRun {
  const { id, name, title, scale, spec, agents } = view;
  const own =
    spec.kind === 'pocket' || spec.kind === 'model'
      ? {
          method: trainingMethodOf(spec.method).name,
          seed: spec.seed,
          updates: spec.updates,
          batch: spec.batch,
        }
      : {};
  return {
    ...{ id, name, title, scale, curves },
    startedAt: view.createdAt,
    startedAtS,
    settings: {
      ...{ scale, scale_meaning: SCALE_TEXTS[scale], title, trainer: spec.kind },
      agents: agents.map((agent) => agent.name),
      ...own,
      training: id,
      written_by: 'MARS² Workbench',
    },
  };
}

/** "train/reward", "evaluation/pass@1"; of what has no name of ours, as it was logged. */
export function tagOf({ part, key }: Pick<TrainingCurve, 'part' | 'key'>): string {
  return part === 'other' ? key : `${part === 'train' ? 'train' : 'eval'}/${key}`;
}
