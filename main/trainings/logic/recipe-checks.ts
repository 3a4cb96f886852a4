import type { DoctorCheck, Recipe, RecipeTraining, TrainingRequest } from '../../../preload/contract';
import { exportLines, SET_UP_FAILED, setUpLines, setUpScript, shellWord } from '../../base';
import { shellWordWithHome, withTilde } from './home-path';
import { recipeValues } from './recipe';

const MARK = '@mars2-recipe@';

/** The field that names the Python of a trainer. */
const PYTHON_FIELD = 'python';

/** The version is printed first: a Python too old for importlib.metadata still runs. */
const CODE = `import sys
print("${MARK}python " + sys.version.split()[0])
from importlib.metadata import PackageNotFoundError, version
for name in sys.argv[1:]:
    try:
        print("${MARK}package " + version(name))
    except PackageNotFoundError:
        print("${MARK}no-package")`;

/**
 * A script for a POSIX shell that runs the recipe's Python, after the request's set-up, and tells its version and that of
 * the trainer's package; its output is for `recipeChecks`. It runs nothing where the recipe has no field "python".
 */
export function recipeProbeScript(
  { setUp, env }: Pick<TrainingRequest, 'setUp' | 'env'>,
  training: RecipeTraining,
  recipe: Recipe,
): string {
  const python = recipeValues(recipe, training)[PYTHON_FIELD] ?? '';
  if (python === '') return ':';
  const names = recipe.package === '' ? '' : ` ${shellWord(recipe.package)}`;
  const inner = [
    ...exportLines(env),
    ...setUpLines(setUp),
    `exec ${shellWordWithHome(python)} -c ${shellWord(CODE)}${names}`,
  ];
  return setUpScript(inner, ['mars2-probe']);
}

/** Whether the recipe's Python runs there and has the trainer's package. */
export function recipeChecks(
  { code, stdout }: { readonly code: number; readonly stdout: string },
  training: RecipeTraining,
  recipe: Recipe,
): readonly DoctorCheck[] {
  const python = withTilde(recipeValues(recipe, training)[PYTHON_FIELD] ?? '');
  const check = { id: 'python', title: 'Python' };
  if (python === '') {
    const finding = 'The recipe has no field "python": nothing of its trainer was looked at.';
    return [{ ...check, state: 'unknown', found: finding, todo: null }];
  }
  const version = probedValue(stdout, 'python');
  if (version === undefined) {
    const finding = code === SET_UP_FAILED ? 'The set-up fails there.' : `${python} does not run there.`;
    const todo =
      code === SET_UP_FAILED
        ? 'Run its lines in a terminal there to see why.'
        : 'Name a Python of that machine in the field "python".';
    return [{ ...check, state: 'bad', found: finding, todo }];
  }
  const runs: DoctorCheck = { ...check, state: 'good', found: `${python} is Python ${version}.`, todo: null };
  return recipe.package === '' ? [runs] : [runs, packageCheck(stdout, python, recipe)];
}

function packageCheck(stdout: string, python: string, recipe: Recipe): DoctorCheck {
  const check = { id: 'package', title: recipe.package };
  const version = probedValue(stdout, 'package');
  if (version === undefined) {
    if (!stdout.includes(`${MARK}no-package`)) {
      return { ...check, state: 'unknown', found: `${python} did not say whether it has it.`, todo: null };
    }
    const todo = `Install ${recipe.package} there, or name another Python in the field "python".`;
    return { ...check, state: 'bad', found: `${python} has no ${recipe.package}.`, todo };
  }
  if (recipe.checkedWith === '') return { ...check, state: 'good', found: `${version}.`, todo: null };
  const finding = `${version}; the recipe was checked against ${recipe.checkedWith}.`;
  if (recipe.checkedWith.split(/[\s,]+/).includes(version))
    return { ...check, state: 'good', found: finding, todo: null };
  const todo =
    'Releases rename their arguments: "Other trainers" in docs/training.md says how to check this one.';
  return { ...check, state: 'warning', found: finding, todo };
}

function probedValue(stdout: string, name: string): string | undefined {
  return new RegExp(`^${MARK}${name} ([\\w.+-]{1,60})$`, 'm').exec(stdout)?.[1];
}
