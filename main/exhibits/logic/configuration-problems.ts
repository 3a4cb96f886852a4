import type { Exhibit, ExhibitConfiguration, ExhibitProblem } from '../../../preload/contract';
import { unknownName } from './unknown-name';

/** Models that are not there, and teams that can not be trained or searched. */
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
  const twice = all.find((model, i) => all.indexOf(model) !== i);
  if (twice !== undefined) problems.push({ path, message: `The model "${twice}" is named twice.` });
  if (method === 'mixed-groups') {
    const message = 'Mixed groups need all models in one training: only heter-mars2 is trained so here.';
    problems.push({ path: `${path}.method`, message });
  }
  if (method !== 'heter-mars2' && partners.length > 0) {
    const message = 'Only heter-mars2 trains models together: leave the partners out.';
    problems.push({ path: `${path}.partners`, message });
  }
  if (method === 'heter-mars2' && all.length < 2) {
    const message = 'heter-mars2 needs two models or more: name the others in models or partners.';
    problems.push({ path: `${path}.models`, message });
  }
  if (roles > 1 && own.length > 1) {
    const message = 'Several roles are for a single model: a team of several models has one role each.';
    problems.push({ path: `${path}.roles`, message });
  }
  if (![...cells, ...series].some(({ configuration }) => configuration === id)) {
    problems.push({ path, message: 'No cell and no series shows it: show it or leave it out.' });
  }
  return problems;
}
