import type { Exhibit, ExhibitCell, ExhibitMeasure, ExhibitProblem } from '../../../preload/contract';
import { measuresRate } from '../../../preload/contract/plans';
import { assertNever } from '../../base';
import { unknownName } from './unknown-name';

/** For which the workbench counts DA@K (docs/metrics.md, "Diversity"). */
const DISTINCT_KS: readonly number[] = [2, 5, 10, 25];

/** Cells at places that are not there, or of what nobody counts. */
export function cellProblems({ cells, rows, columns, configurations }: Exhibit): ExhibitProblem[] {
  return cells.flatMap((cell, at) => {
    const { row, column, configuration, measure } = cell;
    const path = `cells[${at}]`;
    return [
      ...unknownName(`${path}.row`, 'row', row, rows),
      ...unknownName(`${path}.column`, 'column', column, columns),
      ...unknownName(`${path}.configuration`, 'configuration', configuration, configurations),
      ...measureProblems(measure, `${path}.measure`),
      ...unitProblems(cell, path),
    ];
  });
}

/** What is no rate has no percent. */
function unitProblems({ measure, reference }: ExhibitCell, path: string): ExhibitProblem[] {
  if (measuresRate(measure)) return [];
  const at = reference.findIndex(({ unit }) => unit !== 'number');
  if (at === -1) return [];
  const message = 'This measure is no percentage: give the unit "number".';
  return [{ path: `${path}.reference[${at}].unit`, message }];
}

function measureProblems(measure: ExhibitMeasure, path: string): ExhibitProblem[] {
  if (measure.kind === 'metric') return [];
  if (measure.measure === 'da@k') {
    if (measure.k !== null && DISTINCT_KS.includes(measure.k)) return [];
    return [{ path: `${path}.k`, message: `da@k is counted for k = ${DISTINCT_KS.join(', ')}: name one.` }];
  }
  if (measure.k === null) return [];
  return [{ path: `${path}.k`, message: 'Only da@k has a k: leave it out.' }];
}

/** Lines of configurations that are not there, or that never learn. */
export function seriesProblems({ series, configurations }: Exhibit): ExhibitProblem[] {
  return series.flatMap(({ configuration: name, curve }, at) => {
    const path = `series[${at}]`;
    const configuration = configurations.find(({ id }) => id === name);
    if (configuration === undefined) {
      return unknownName(`${path}.configuration`, 'configuration', name, configurations);
    }
    switch (curve.kind) {
      case 'nodes':
        return [];
      case 'learning': {
        const trained = [...configuration.models, ...configuration.partners].map((id) => ({ id }));
        const problems = unknownName(
          `${path}.curve.model`,
          'model in its configuration',
          curve.model,
          trained,
        );
        if (configuration.method === 'base') {
          const message = 'Its configuration is not trained at all: it has no learning curve.';
          problems.push({ path: `${path}.configuration`, message });
        }
        return problems;
      }
      default:
        return assertNever(curve);
    }
  });
}
