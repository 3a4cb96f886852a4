import { join } from 'node:path';
import type { Recipe, Refusal, TrainingOrder } from '../../preload/contract';
import { assertNever, failed, ok, type Result } from '../base';
import { FAMILIES } from '../pocket';
import { prepareMarti } from './logic/marti/prepare-marti';
import { preparePocket } from './logic/prepare-pocket';
import type { PreparedTraining } from './logic/prepared';
import { prepareRecipe } from './logic/recipes/prepare-recipe';

/** A program that runs the pocket trainer: `node`, or Electron's binary with ELECTRON_RUN_AS_NODE=1. */
export type TrainerRuntime = { readonly command: string; readonly env: Readonly<Record<string, string>> };

export type KindSurroundings = {
  readonly nodeRuntime: TrainerRuntime;
  /** The built entry `pocket-trainer`. */
  readonly pocketTrainerScript: string;
  /** The project's resources/. */
  readonly resourcesDir: string;
  /** Base policies of the pocket families. */
  readonly checkpointsDir: string;
  /** The user's word at this moment that programs may run where no sandbox starts; never when left out. */
  readonly allowsUnsandboxed?: () => boolean;
};

export type TrainingPlace = {
  readonly id: string;
  readonly folder: string;
  /** Text of the program that a MARTI training runs first; empty for the others. */
  readonly preflight: string;
};

/** What would run; refused only where not even that can be said: a recipe that is not there. */
export function prepareTraining(
  order: TrainingOrder,
  place: TrainingPlace,
  recipe: Recipe | null,
  around: KindSurroundings,
): Result<PreparedTraining, Refusal> {
  const { spec } = order;
  switch (spec.kind) {
    case 'pocket': {
      const { nodeRuntime, pocketTrainerScript, resourcesDir, checkpointsDir } = around;
      return ok(
        preparePocket(order, spec, {
          node: nodeRuntime.command,
          env: nodeRuntime.env,
          script: pocketTrainerScript,
          resourcesDir,
          checkpointsDir,
          folder: place.folder,
          families: FAMILIES,
          allowsUnsandboxed: around.allowsUnsandboxed?.() ?? false,
        }),
      );
    }
    case 'marti':
      return ok(prepareMarti(order, spec, place));
    case 'recipe':
      if (recipe !== null) return ok(prepareRecipe(order, spec, recipe));
      return failed({
        code: 'not-found',
        message: `There is no recipe "${spec.recipeId}".`,
        hint: 'See "train recipes" for those that are there, and for files that are none.',
      });
    default:
      return assertNever(spec);
  }
}

/** Where the Python programs of ours are that go to the machines. */
export function programsFolder(resourcesDir: string): string {
  return join(resourcesDir, 'trainers');
}
