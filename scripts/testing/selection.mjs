// `npm test -- unit e2e -- FILTER...`: which steps to run, and what to hand to the test runners.

export const stepNames = ['lint', 'types', 'walls', 'build', 'unit', 'e2e'];

/** Gives { kind: 'selected', steps, filters } or { kind: 'unknown', name }. No step named means all of them. */
export function parseSelection(args) {
  const divide = args.indexOf('--');
  const names = divide < 0 ? args : args.slice(0, divide);
  const unknown = names.find((name) => !stepNames.includes(name));
  if (unknown !== undefined) return { kind: 'unknown', name: unknown };
  return {
    kind: 'selected',
    steps: names.length === 0 ? stepNames : stepNames.filter((name) => names.includes(name)),
    filters: divide < 0 ? [] : args.slice(divide + 1),
  };
}

/** What the steps need from the machine. Unit tests grade real programs, so they need the sandbox too. */
export function purposesOf(steps) {
  const purposes = [];
  if (steps.includes('unit') || steps.includes('e2e')) purposes.push('sandbox', 'machines');
  if (steps.includes('e2e')) purposes.push('tests', 'window');
  return purposes;
}
