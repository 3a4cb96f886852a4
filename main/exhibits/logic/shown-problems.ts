import type { Exhibit, ExhibitCell, ExhibitMeasure, ExhibitProblem } from '../../../preload/contract';
import { measuresRate, trainingsOfLine } from '../../../preload/contract/plans';
import { assertNever } from '../../base';
import { unknownName } from './configuration-problems';

/** The K of DA@K that the workbench computes (docs/metrics.md, "Diversity"). */
const DISTINCT_KS: readonly number[] = [2, 5, 10, 25];

/** Lists cells with unknown rows or columns, or with measures that the workbench does not compute. */
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
      ...oursProblems(cell, path, [...rows, ...columns]),
    ];
  });
}

/** An addition of ours must not pass for the paper's. */
function oursProblems(
  { row, column, reference }: ExhibitCell,
  path: string,
  lines: readonly { readonly id: string; readonly ours?: boolean | undefined }[],
): ExhibitProblem[] {
  const isOurs = lines.some(({ id, ours }) => (id === row || id === column) && ours === true);
  if (!isOurs || reference.length === 0) return [];
  const message = 'Its row or column is marked as ours, so the paper has no value of it. Remove one of both.';
  return [{ path: `${path}.reference`, message }];
}

/** Only rates can have percent. */
function unitProblems({ measure, reference }: ExhibitCell, path: string): ExhibitProblem[] {
  if (measuresRate(measure)) return [];
  const at = reference.findIndex(({ unit }) => unit !== 'number');
  if (at === -1) return [];
  const message = 'This measure is not a percentage. Set the unit to "number".';
  return [{ path: `${path}.reference[${at}].unit`, message }];
}

function measureProblems(measure: ExhibitMeasure, path: string): ExhibitProblem[] {
  if (measure.kind === 'metric') return [];
  if (measure.measure === 'da@k') {
    if (measure.k !== null && DISTINCT_KS.includes(measure.k)) return [];
    return [{ path: `${path}.k`, message: `da@k needs one of k = ${DISTINCT_KS.join(', ')}.` }];
  }
  if (measure.k === null) return [];
  return [{ path: `${path}.k`, message: 'Only da@k has a k. Remove it.' }];
}

/** Lists lines of configurations that are unknown or never trained. */
export function seriesProblems({ series, configurations }: Exhibit): ExhibitProblem[] {
  return series.flatMap((line, at) => {
    const { configuration: name, curve } = line;
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
        const trainings = trainingsOfLine(line);
        if (configuration.method === 'base' && trainings.length === 0) {
          const message =
            'Its configuration is not trained, so it has no learning curve. Name a training at hand in "training".';
          problems.push({ path: `${path}.configuration`, message });
        }
        if (new Set(trainings).size < trainings.length) {
          problems.push({ path: `${path}.curve.training`, message: 'A training is listed twice.' });
        }
        if (curve.agent !== undefined && trainings.length === 0) {
          const message = 'Only a line of trainings at hand names their agent. Remove it.';
          problems.push({ path: `${path}.curve.agent`, message });
        }
        return problems;
      }
      default:
        return assertNever(curve);
    }
  });
}
