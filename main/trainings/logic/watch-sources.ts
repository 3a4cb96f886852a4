import { assertNever } from '../../base';
import { homeWords } from './home-words';
import { martiPlaces } from './marti/marti-places';
import { filledIn, recipeValues } from './recipes/recipe-text';
import { trainingAgents } from './titles';
import type { TrainingRecord } from './training-record';
import type { TrainingWatchSources } from './watch/sources';

/** Where a training's numbers, checkpoints and samples are. `folder` is its own on this computer; `log` the job's. */
export function watchSources(
  { id, order: { spec }, recipe }: Pick<TrainingRecord, 'id' | 'order' | 'recipe'>,
  files: { readonly folder: string; readonly log: string | null },
): TrainingWatchSources {
  const logs = files.log === null ? [] : [files.log];
  switch (spec.kind) {
    case 'pocket': {
      const checkpoints = { path: `${files.folder}/checkpoints`, agentId: null, names: 'pocket' as const };
      return { metrics: files.folder, logs: [], events: [], checkpoints: [checkpoints], workflow: null };
    }
    case 'marti': {
      const places = martiPlaces(spec, id);
      return {
        metrics: null,
        logs,
        events: [`${homeWords(places.tensorboard)}/${places.runName}`],
        checkpoints: trainingAgents(spec).map((agent, at) => ({
          path: homeWords(places.agentCheckpoints(at)),
          agentId: agent.id,
          names: 'marti' as const,
        })),
        workflow: homeWords(places.workflow),
      };
    }
    case 'recipe': {
      const values = recipe === null ? {} : recipeValues(recipe, spec);
      const place = (text: string | null | undefined) => {
        const filled = text == null ? null : filledIn(text, values);
        return filled === null ? [] : [homeWords(filled)];
      };
      return {
        metrics: null,
        logs,
        events: place(recipe?.tensorboard),
        checkpoints: place(recipe?.checkpoints).map((path) => ({
          path,
          agentId: null,
          names: 'numbered' as const,
        })),
        workflow: null,
      };
    }
    default:
      return assertNever(spec);
  }
}
