import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { shellWord } from '../../main/base';
import { prepareRecipe } from '../../main/trainings/logic/recipe';
import { recipeRegistry } from '../../main/trainings/recipe-registry';
import { trainingRequestSchema } from '../../preload/contract';
import { temporaryFolder } from './temporary-folder';

const parsedSchema = z.object({ trainer: z.string(), settings: z.record(z.string(), z.unknown()) });

/** Values of the fields that have none of their own, with all that a shell or a parser could take for its own. */
const ODD = { path: "/data/my run, it's #1", text: 'org/model' };

/**
 * What the trainer's own parser makes of the whole command of a recipe of the project, as a shell would run it. `python`
 * has the trainer. A word that the parser does not know is an error, with its message.
 */
export async function parsedByTrainer(
  recipeId: string,
  python: string,
  own: Readonly<Record<string, string>> = {},
): Promise<z.infer<typeof parsedSchema>> {
  const { recipes } = await recipeRegistry([resolve('resources/recipes')]).load();
  const recipe = recipes.find(({ id }) => id === recipeId);
  if (recipe === undefined) throw new Error(`No recipe ${recipeId}`);
  const reader = join(await temporaryFolder(), 'python');
  const oracle = resolve('tests/learner/oracles/recipe_parser.py');
  await writeFile(reader, `#!/bin/sh\nexec ${shellWord(python)} ${shellWord(oracle)} "$@"\n`);
  await chmod(reader, 0o755);
  const odd = recipe.fields
    .filter(({ default: usual }) => usual === '')
    .map(({ name, kind }) => [name, kind === 'path' ? ODD.path : ODD.text]);
  const values = { ...Object.fromEntries(odd), ...own, python: reader };
  const spec = { kind: 'recipe', recipeId, values } as const;
  const request = trainingRequestSchema.parse({ name: 'x', machineId: 'local', spec });
  if (request.spec.kind !== 'recipe') throw new Error('Not by a recipe');
  const { commandLine, problems } = prepareRecipe(request, request.spec, recipe);
  if (problems.length > 0) throw new Error(problems.join(' '));
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', commandLine], { maxBuffer: 16 * 1_048_576 });
  // Other lines are what the libraries print.
  const line = stdout.split('\n').find((text) => text.startsWith('{"trainer"'));
  return parsedSchema.parse(JSON.parse(line ?? ''));
}
