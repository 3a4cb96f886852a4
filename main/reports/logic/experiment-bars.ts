import { experimentScale } from '../../../preload/contract/plans/index';
import {
  cellIn,
  EXPERIMENT_METHOD,
  type ExperimentSource,
  isRate,
  PARTS_NOTE,
  quantities,
} from './experiment-measures';
import { methodsIn } from './method-notes';
import { figureLimits, meaningsNote, resampledOver, SEED_MEANING } from './reading';
import type { ReportFigure } from './report-figure';

/** What each method of an experiment reached, by metric. */
export function resultBars({ view, result }: ExperimentSource): ReportFigure {
  const shown = quantities(result, ['alone', 'team']).filter(
    ({ metric }) => isRate(metric) && metric !== 'zero-advantage',
  );
  const scale = experimentScale(view.order);
  const isSeveral = result.cells.some(({ seeds }) => seeds > 1);
  return {
    kind: 'bars',
    id: 'results-bars',
    title: `Methods over seeds: ${view.order.name}`,
    scale,
    legend: [
      ...figureLimits(result.sentences),
      ...meaningsNote(shown.map(({ label, meaning }) => [label, meaning])),
      `${isSeveral ? `Bars: means over the seeds. ${SEED_MEANING}. ` : ''}Whiskers: 95 % bootstrap intervals over ${resampledOver(isSeveral)}. Differences are not tested here, but in the table "pairs".`,
      PARTS_NOTE,
      ...methodsIn(view.order.rows.map(({ label }) => label)),
    ],
    notes: [],
    method: EXPERIMENT_METHOD,
    complete: result.complete,
    y: { label: `Problems (%), ${scale}`, unit: 'rate' },
    groups: shown.map(({ label, part }) => `${label} ${part}`),
    // Colours by position, as in the window.
    series: view.order.rows.map(({ label }, position) => ({
      label,
      position,
      hue: position,
      bars: shown.map((quantity) => {
        const cell = cellIn(result.cells, label, quantity);
        return cell === undefined ? null : { y: cell.value, low: cell.low, high: cell.high };
      }),
      reference: shown.map(() => null),
    })),
  };
}
