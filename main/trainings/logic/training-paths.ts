import { assertNever } from '../../base';
import { withTilde } from './home-path';
import { martiPaths } from './marti/marti-paths';
import { fillTemplate, recipeValues } from './recipe';
import { trainingAgents } from './titles';
import type { TrainingRecord } from './training-record';
import type { CheckpointFolder } from './watch/checkpoint-listing';

/** Where a training's metrics, checkpoints and samples are. `folder`: its own on this computer; `log`: its job's. */
export function trainingPaths(
  { id, order: { spec }, recipe }: Pick<TrainingRecord, 'id' | 'order' | 'recipe'>,
  files: { readonly folder: string; readonly log: string | null },
): TrainingPaths {
  const logs = files.log === null ? [] : [files.log];
  switch (spec.kind) {
    case 'pocket':
    case 'model': {
      const checkpoints = { path: `${files.folder}/checkpoints`, agentId: null, names: 'own' as const };
      return { metrics: files.folder, logs: [], events: [], checkpoints: [checkpoints], workflow: null };
    }
    case 'marti': {
      const paths = martiPaths(spec, id);
      return {
        metrics: null,
        logs,
        events: [`${withTilde(paths.tensorboard)}/${paths.runName}`],
        checkpoints: trainingAgents(spec).map((agent, at) => ({
          path: withTilde(paths.agentCheckpoints(at)),
          agentId: agent.id,
          names: 'marti' as const,
        })),
        workflow: withTilde(paths.workflow),
      };
    }
    case 'recipe': {
      const values = recipe === null ? {} : recipeValues(recipe, spec);
      const pathIn = (text: string | null | undefined) => {
        const filled = text == null ? null : fillTemplate(text, values);
        return filled === null ? [] : [withTilde(filled)];
      };
      return {
        metrics: null,
        logs,
        events: pathIn(recipe?.tensorboard),
        checkpoints: pathIn(recipe?.checkpoints).map((path) => ({
          path,
          agentId: null,
          names: 'numbered' as const,
          ...(recipe?.weights ? { weights: recipe.weights } : {}),
        })),
        workflow: null,
        rollouts: pathIn(recipe?.rollouts?.folder)[0] ?? null,
      };
    }
    case 'watched': {
      const { folder } = spec;
      const inOwn = { path: `${spec.metrics}/checkpoints`, agentId: null, names: 'own' as const };
      const numbered = folder === null ? [] : [{ path: folder, agentId: null, names: 'numbered' as const }];
      return {
        metrics: spec.metrics,
        logs: spec.logs,
        events: folder === null ? [] : [folder],
        checkpoints: spec.metrics === null ? numbered : [inOwn],
        workflow: null,
      };
    }
    default:
      return assertNever(spec);
  }
}

/** Paths of a training's files on its machine, absolute or beginning with "~/". */
export type TrainingPaths = {
  /** Folder of the pocket trainer's metrics.jsonl and its other files; null: another trainer. */
  readonly metrics: string | null;
  /** Console logs, oldest first. Absolute. */
  readonly logs: readonly string[];
  /** Folders with TensorBoard's event files, at most four levels deep. */
  readonly events: readonly string[];
  readonly checkpoints: readonly CheckpointFolder[];
  /** Folder of MARTI's workflow (`workflow_args.save_path`); null: none. */
  readonly workflow: string | null;
  /** Folder with a file of rollouts for each step (`step-rollouts.ts`); left out, null: none. */
  readonly rollouts?: string | null;
};
