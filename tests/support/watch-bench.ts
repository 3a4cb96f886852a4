import { join } from 'node:path';
import { createLocalMachine, type Machine } from '../../main/machines';
import {
  type PocketTraining,
  pocketTrainingSchema,
  type Recipe,
  recipeSchema,
  recipeTrainingSchema,
} from '../../preload/contract';
import { temporaryFolder } from './temporary-folder';

/** This computer, with a home of its own that is gone after the test. */
export async function localMachine(): Promise<Machine> {
  return createLocalMachine(join(await temporaryFolder(), 'home'), {
    kind: 'local',
    id: 'local',
    name: 'This computer',
  });
}

export const recipeSpec = recipeTrainingSchema.parse({ kind: 'recipe', recipeId: 'sample' });

/** A recipe of nothing but what a test sets. */
export function recipeOf(more: Partial<Recipe>): Recipe {
  return recipeSchema.parse({
    id: 'sample',
    name: 'Sample',
    homepage: 'https://example.org',
    about: '',
    fields: [],
    command: ['train'],
    log: null,
    tensorboard: null,
    checkpoints: null,
    ...more,
  });
}

export function pocketSpec(more: Partial<PocketTraining> = {}): PocketTraining {
  return pocketTrainingSchema.parse({
    kind: 'pocket',
    method: 'heter-mars2',
    families: ['reader', 'tracer'],
    ...more,
  });
}
