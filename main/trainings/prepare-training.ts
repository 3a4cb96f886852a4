import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Recipe, Refusal, TrainingRequest, TrainingSpec } from '../../preload/contract';
import { LOCAL_MACHINE } from '../../preload/contract';
import { GRADER_TOKEN_VARIABLE, isOwnTraining } from '../../preload/contract/plans';
import { assertNever, failed, ok, type Result } from '../base';
import { FAMILIES } from '../pocket';
import { prepareMarti } from './logic/marti/marti-set-up';
import { prepareModel } from './logic/prepare-model';
import { preparePocket } from './logic/prepare-pocket';
import type { PreparedTraining } from './logic/prepared';
import { prepareRecipe } from './logic/recipe';
import type { OwnProgramPaths } from './own-files';
import type { ProblemSource } from './problem-files';

/** Runs the pocket trainer: `node`, or Electron's binary with ELECTRON_RUN_AS_NODE=1. */
export type TrainerRuntime = { readonly command: string; readonly env: Readonly<Record<string, string>> };

export type TrainerDeps = {
  readonly nodeRuntime: TrainerRuntime;
  /** The built entry `pocket-trainer`, which trains language models as well. */
  readonly pocketTrainerScript: string;
  /** Benchmarks to train language models on. */
  readonly benchmarks: ProblemSource;
  /** The project's resources/. */
  readonly resourcesDir: string;
  /** Base policies of the pocket families. */
  readonly checkpointsDir: string;
  /** Whether the user currently allows programs to run without a sandbox; default: never. */
  readonly allowsUnsandboxed?: () => boolean;
  /** Whether the environment that jobs of this computer inherit has the token of a grader service; default: not known. */
  readonly hasGraderToken?: () => boolean;
};

export type TrainingInstance = {
  readonly id: string;
  /** Where our own trainer would run; null: another trainer. */
  readonly paths: OwnProgramPaths | null;
  /** Source of the preflight program of a MARTI training; empty for others. */
  readonly preflight: string;
  /** Problems of a model training's benchmarks, a sentence each. */
  readonly benchmarkProblems: readonly string[];
};

/** The command that would run; refused only if there is no such recipe. */
export function prepareTraining(
  request: TrainingRequest,
  instance: TrainingInstance,
  recipe: Recipe | null,
  deps: TrainerDeps,
): Result<PreparedTraining, Refusal> {
  const { spec } = request;
  if (request.grader !== undefined && !isOwnTraining(spec)) {
    return failed({
      code: 'bad-input',
      message: 'Only a training by our own trainer takes a grader service.',
      hint: 'Other trainers use it as their reward function: see "A grader for every trainer" in docs/grading.md.',
    });
  }
  if (lacksGraderToken(request, deps)) {
    return failed({
      code: 'bad-input',
      message: `The token of the grader service is missing.`,
      hint: `Name the file that has it (--grader-token-file), or start the workbench with the variable ${GRADER_TOKEN_VARIABLE}.`,
    });
  }
  switch (spec.kind) {
    case 'pocket':
      return ok(preparePocket(request, spec, { ...ownProgram(request, instance, deps), families: FAMILIES }));
    case 'model':
      return ok(prepareModel(request, spec, ownProgram(request, instance, deps), instance.benchmarkProblems));
    case 'marti':
      return ok(prepareMarti(request, spec, instance));
    case 'recipe':
      if (recipe !== null) return ok(prepareRecipe(request, spec, recipe));
      return failed({
        code: 'not-found',
        message: `There is no recipe "${spec.recipeId}".`,
        hint: 'Run "mars2 trainings recipes" to list the recipes and the files that are not valid.',
      });
    case 'watched':
      return failed({
        code: 'bad-input',
        message: 'It was started by others and is only watched, so it cannot be started here.',
        hint: 'Start it where it was started before; what it writes then is shown.',
      });
    default:
      return assertNever(spec);
  }
}

/** As far as it can be known: another machine, or what is done before the command, may have the variable. */
function lacksGraderToken({ machineId, grader, env, setUp }: TrainingRequest, deps: TrainerDeps): boolean {
  if (grader === undefined || grader.tokenFile !== undefined || machineId !== LOCAL_MACHINE) return false;
  return env[GRADER_TOKEN_VARIABLE] === undefined && setUp.trim() === '' && deps.hasGraderToken?.() === false;
}

function ownProgram({ machineId }: TrainingRequest, { paths }: TrainingInstance, deps: TrainerDeps) {
  if (paths === null) throw new Error('A training of our own has places');
  // The user allows it for this computer.
  const allowsUnsandboxed = machineId === LOCAL_MACHINE && (deps.allowsUnsandboxed?.() ?? false);
  return { ...paths, allowsUnsandboxed };
}

/** Folder of our Python programs that run on machines. */
export function programsFolder(resourcesDir: string): string {
  return join(resourcesDir, 'trainers');
}

/** Source of the program that a MARTI training runs first; empty for others. */
export async function preflightOf({ kind }: TrainingSpec, resourcesDir: string): Promise<string> {
  return kind === 'marti' ? readFile(join(programsFolder(resourcesDir), 'marti_preflight.py'), 'utf8') : '';
}
