import type { Exhibit, ExhibitProblem } from '../../../preload/contract';
import { cellKey, isAllAtHand, POCKET_FAMILIES } from '../../../preload/contract/plans';
import { configurationProblems } from './configuration-problems';
import { scaleProblems } from './scale-problems';
import { cellProblems, seriesProblems } from './shown-problems';

/** Lists errors that the schema does not catch: unknown names, values that cannot be measured. */
export function exhibitProblems(exhibit: Exhibit): ExhibitProblem[] {
  const { models, configurations, rows, columns, cells, series } = exhibit;
  return [
    ...repeated('models', models, ({ id }) => id, 'id'),
    ...repeated('configurations', configurations, ({ id }) => id, 'id'),
    ...repeated('configurations', configurations, ({ label }) => label, 'label'),
    ...repeated('rows', rows, ({ id }) => id, 'id'),
    ...repeated('columns', columns, ({ id }) => id, 'id'),
    ...repeated('series', series, ({ id }) => id, 'id'),
    ...repeated('cells', cells, cellKey, 'column'),
    ...wholeProblems(exhibit),
    ...models.flatMap(({ pocket }, at) => familyProblems(pocket?.family, at)),
    ...configurations.flatMap((configuration, at) => configurationProblems(exhibit, configuration, at)),
    ...cellProblems(exhibit),
    ...seriesProblems(exhibit),
    ...scaleProblems(exhibit),
  ];
}

/** `key`: the field that the problem's path ends with. */
function repeated<T>(list: string, items: readonly T[], nameOf: (item: T) => string, key: string) {
  const first = new Map<string, number>();
  return items.flatMap((item, at): ExhibitProblem[] => {
    const name = nameOf(item);
    const earlier = first.get(name);
    if (earlier === undefined) {
      first.set(name, at);
      return [];
    }
    return [{ path: `${list}[${at}].${key}`, message: `"${name}" is already used by ${list}[${earlier}].` }];
  });
}

function wholeProblems(exhibit: Exhibit): ExhibitProblem[] {
  const { id, cells, series, scales } = exhibit;
  const problems: ExhibitProblem[] = [];
  if (id === 'template') problems.push({ path: 'id', message: '"template" is reserved. Choose another id.' });
  if (cells.length + series.length === 0) {
    problems.push({ path: '', message: 'It has neither cells nor series. Add some.' });
  }
  if (scales.paper === null && scales.pocket === null && !isAllAtHand(exhibit)) {
    problems.push({
      path: 'scales',
      message:
        'Add the paper scale, the pocket scale or both, or name a study in every configuration or a training in every line over a training.',
    });
  }
  return problems;
}

function familyProblems(family: string | undefined, at: number): ExhibitProblem[] {
  if (family === undefined || POCKET_FAMILIES.some((name) => name === family)) return [];
  const families = POCKET_FAMILIES.join(', ');
  const message = `There is no pocket family "${family}". Families: ${families}.`;
  return [{ path: `models[${at}].pocket.family`, message }];
}
