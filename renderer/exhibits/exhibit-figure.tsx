import { useMemo } from 'react';
import type { Exhibit, ExhibitResult, ExhibitSeries } from '../../preload/contract/exhibit';
import { paperPoints, seriesNames } from '../../preload/contract/plans/index';
import { useHues } from '../state/index';
import { configurationColor } from '../theme/index';
import { CurveChart, type CurveSeries } from '../widgets/curve-chart';
import { Section } from '../widgets/index';
import styles from './exhibit.module.css';
import { figuresOf } from './figures';

/** The paper's figure: a chart for each thing that its lines are over. */
export function ExhibitFigure(props: {
  readonly exhibit: Exhibit;
  readonly result: ExhibitResult | null;
  readonly chosen: string | null;
  readonly onChoose: (seriesId: string | null) => void;
}) {
  const { exhibit, result, chosen, onChoose } = props;
  const hues = useHues(useMemo(() => seriesNames(exhibit), [exhibit]));
  const colorOf = (one: ExhibitSeries): string => configurationColor(hues[exhibit.series.indexOf(one)] ?? 0);
  return figuresOf(exhibit).map(({ id, title, over, series }) => {
    const drawn = series.flatMap((one) => linesOf(one, colorOf(one), result));
    const isEmpty = drawn.every(({ points }) => points.length === 0);
    return (
      <Section key={id} title={title}>
        <div className={styles.chart}>
          <CurveChart
            label={title}
            xLabel={over}
            yLabel={title}
            series={drawn}
            stressed={series.some((one) => one.id === chosen) ? chosen : null}
          />
          {isEmpty && <p className={styles.emptyChart}>The lines begin with the first measured point.</p>}
        </div>
        <ul className={styles.lines} aria-label={`Lines of ${title}: what each rests on`}>
          {series.map((one) => (
            <li key={one.id}>
              <button
                type="button"
                aria-pressed={chosen === one.id}
                onClick={() => onChoose(chosen === one.id ? null : one.id)}
              >
                <i style={{ background: colorOf(one) }} />
                {one.label}
                <small>{lineState(one, result)}</small>
              </button>
            </li>
          ))}
        </ul>
      </Section>
    );
  });
}

/** Ours, and the paper's points where they are known. */
function linesOf(series: ExhibitSeries, color: string, result: ExhibitResult | null): CurveSeries[] {
  const points = result?.series.find(({ id }) => id === series.id)?.points ?? [];
  return [
    { id: series.id, label: series.label, color, points },
    ...(series.reference.length === 0
      ? []
      : [
          {
            id: `${series.id} paper`,
            label: `${series.label}, paper`,
            color: 'var(--text-faint)',
            points: paperPoints(series).map(({ x, y }) => ({ x, y, low: y, high: y })),
          },
        ]),
  ];
}

function lineState(series: ExhibitSeries, result: ExhibitResult | null): string {
  const state = result?.series.find(({ id }) => id === series.id)?.state ?? { kind: 'empty' as const };
  switch (state.kind) {
    case 'running':
      return `${Math.floor(state.share01 * 100)} %`;
    case 'done':
      return state.reused ? 'reused' : '';
    case 'empty':
      return '';
    case 'missing':
      return 'not here';
    default:
      return state.kind;
  }
}
