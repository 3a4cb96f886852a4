// `npm test -- unit e2e -- FILTER...`: which steps to run, and what to hand to the test runners.
// `npm test -- --quick`: the tests of pure code. `npm test -- --changed [COMMIT]`: what changed since that commit.

export const stepNames = ['lint', 'words', 'walls', 'build', 'types', 'unit', 'e2e', 'learner'];

const changedSteps = ['lint', 'words', 'walls', 'types', 'unit', 'learner'];

/** Tests of code that touches nothing of the world: no process, no file, no window. */
export const pureTests = [
  ...['base', 'search', 'metrics', 'objective', 'pocket'].map((folder) => `tests/main/${folder}/`),
  '/logic/',
  'tests/preload/',
];

/**
 * Gives { kind: 'selected', steps, filters, since } or { kind: 'unknown', name }. No step named means all of them;
 * `since`: the commit whose changes are tested, null for everything.
 */
export function parseSelection(args) {
  const divide = args.indexOf('--');
  const words = divide < 0 ? args : args.slice(0, divide);
  const filters = divide < 0 ? [] : args.slice(divide + 1);
  if (words[0] === '--quick' && words.length === 1)
    return {
      kind: 'selected',
      steps: ['unit'],
      filters: [...pureTests, ...filters],
      since: null,
      quick: true,
    };
  if (words[0] === '--changed' && words.length <= 2)
    return { kind: 'selected', steps: changedSteps, filters, since: words[1] ?? 'HEAD' };
  const unknown = words.find((name) => !stepNames.includes(name));
  if (unknown !== undefined) return { kind: 'unknown', name: unknown };
  return {
    kind: 'selected',
    steps: words.length === 0 ? stepNames : stepNames.filter((name) => words.includes(name)),
    filters,
    since: null,
  };
}

/** What the steps need from the machine. Unit tests grade real programs, so they need the sandbox; pure ones nothing. */
export function purposesOf(steps, quick = false) {
  const purposes = [];
  if (quick) return purposes;
  if (steps.includes('unit') || steps.includes('e2e')) purposes.push('sandbox', 'machines');
  else if (steps.includes('learner')) purposes.push('sandbox');
  if (steps.includes('e2e')) purposes.push('tests', 'window');
  return purposes;
}
