import type { Exhibit, ExhibitConfiguration, ExhibitProblem } from '../../../preload/contract';

/** Lists unknown models, and teams that cannot be trained or searched. */
export function configurationProblems(
  { models, cells, series }: Exhibit,
  { id, models: own, partners, method, roles }: ExhibitConfiguration,
  at: number,
): ExhibitProblem[] {
  const path = `configurations[${at}]`;
  const problems = [
    ...own.flatMap((model, i) => unknownName(`${path}.models[${i}]`, 'model', model, models)),
    ...partners.flatMap((model, i) => unknownName(`${path}.partners[${i}]`, 'model', model, models)),
  ];
  const all = [...own, ...partners];
  const duplicate = all.find((model, i) => all.indexOf(model) !== i);
  if (duplicate !== undefined) problems.push({ path, message: `The model "${duplicate}" is listed twice.` });
  if (method === 'mixed-groups') {
    const message = 'Mixed groups need all models in one training, which only heter-mars2 does here.';
    problems.push({ path: `${path}.method`, message });
  }
  if (method !== 'heter-mars2' && partners.length > 0) {
    const message = 'Only heter-mars2 trains models together. Remove the partners.';
    problems.push({ path: `${path}.partners`, message });
  }
  if (method === 'heter-mars2' && all.length < 2) {
    const message = 'heter-mars2 needs at least two models. List the others in models or partners.';
    problems.push({ path: `${path}.models`, message });
  }
  if (roles > 1 && own.length > 1) {
    const message = 'Several roles are for a single model. In a team of several models each has one role.';
    problems.push({ path: `${path}.roles`, message });
  }
  if (![...cells, ...series].some(({ configuration }) => configuration === id)) {
    problems.push({ path, message: 'No cell or series uses it. Use it or remove it.' });
  }
  return problems;
}

/** A problem where `name` is not in `rows`; `noun`: e.g. "row". */
export function unknownName(
  path: string,
  noun: string,
  name: string,
  known: readonly { id: string }[],
): ExhibitProblem[] {
  if (known.some(({ id }) => id === name)) return [];
  const choices = known.length === 0 ? 'None is defined' : `Defined: ${known.map(({ id }) => id).join(', ')}`;
  return [{ path, message: `There is no ${noun} "${name}". ${choices}.` }];
}
