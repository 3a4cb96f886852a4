import type { Exhibit, ExhibitConfiguration, ExhibitProblem } from '../../../preload/contract';
import { isAtHand } from '../../../preload/contract/plans';

/** Lists unknown models, and teams that cannot be trained or searched. */
export function configurationProblems(
  exhibit: Exhibit,
  configuration: ExhibitConfiguration,
  at: number,
): ExhibitProblem[] {
  const { models, cells, series } = exhibit;
  const { id, models: own, partners, method, roles } = configuration;
  const path = `configurations[${at}]`;
  const problems = [
    ...own.flatMap((model, i) => unknownName(`${path}.models[${i}]`, 'model', model, models)),
    ...partners.flatMap((model, i) => unknownName(`${path}.partners[${i}]`, 'model', model, models)),
  ];
  const all = [...own, ...partners];
  const duplicate = all.find((model, i) => all.indexOf(model) !== i);
  if (duplicate !== undefined) problems.push({ path, message: `The model "${duplicate}" is listed twice.` });
  const sharesTrees = method === 'heter-mars2' || method === 'mixed-groups';
  if (!sharesTrees && partners.length > 0) {
    const message = 'Only heter-mars2 and mixed-groups train models together. Remove the partners.';
    problems.push({ path: `${path}.partners`, message });
  }
  // What trained in a training at hand, that training knows.
  if (sharesTrees && all.length < 2 && !isAtHand(exhibit, configuration)) {
    const message = `${method} needs at least two models. List the others in models or partners.`;
    problems.push({ path: `${path}.models`, message });
  }
  if (roles > 1 && own.length > 1) {
    const message = 'Several roles are for a single model. In a team of several models each has one role.';
    problems.push({ path: `${path}.roles`, message });
  }
  if (![...cells, ...series].some(({ configuration: shown }) => shown === id)) {
    problems.push({ path, message: 'No cell or series uses it. Use it or remove it.' });
  }
  return [...problems, ...tokensProblems(exhibit, configuration, path)];
}

/** Programs that depend on earlier ones cannot be cut off by another configuration's tokens afterwards. */
function tokensProblems(
  { configurations, cells }: Exhibit,
  { id, tokensOf, search }: ExhibitConfiguration,
  path: string,
): ExhibitProblem[] {
  if (tokensOf === undefined) return [];
  const unknown = unknownName(`${path}.tokensOf`, 'configuration', tokensOf, configurations);
  if (unknown.length > 0) return unknown;
  if (tokensOf === id || search.strategy?.kind !== 'repeated') {
    const message =
      'Only independent samples can have the tokens of another configuration. Set search.strategy to {"kind": "repeated"}.';
    return [{ path: `${path}.tokensOf`, message }];
  }
  const isDiverse = cells.some(
    ({ configuration, measure }) => configuration === id && measure.kind === 'diversity',
  );
  if (!isDiverse) return [];
  const message = 'Diversity is measured over all programs. Show another measure, or remove tokensOf.';
  return [{ path: `${path}.tokensOf`, message }];
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
