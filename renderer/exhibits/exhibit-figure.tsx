import type { Exhibit, ExhibitResult, ExhibitSeries } from '../../preload/contract/exhibit';
import { paperLineName, paperPoints } from '../../preload/contract/plans/index';
import { useChartMenu, useLineHues } from '../state/index';
import { configurationColor } from '../theme/index';
import { CurveChart, type CurveSeries } from '../widgets/curve-chart';
import { Section } from '../widgets/index';
import styles from './exhibit.module.css';
import { figuresOf } from './exhibit-views';

/** The paper's figure: a chart per measure and x axis. */
export function ExhibitFigure(props: {
  readonly exhibit: Exhibit;
  readonly result: ExhibitResult | null;
  readonly chosen: string | null;
  readonly onChoose: (seriesId: string | null) => void;
}) {
  const { exhibit, result, chosen, onChoose } = props;
  const hues = useLineHues(exhibit);
  const menu = useChartMenu(exhibit.title, null);
  const colorOf = (id: string): string => configurationColor(hues.get(id) ?? 0);
  return figuresOf(exhibit).map(({ id, title, over, series }, at) => {
    const ours = series.map((line) => lineOf(line, colorOf(line.id), result));
    const drawn = at === 0 ? [...ours, ...paperOnlySeries(exhibit, colorOf)] : ours;
    return (
      <Section key={id} title={title}>
        <div className={styles.chart}>
          <CurveChart
            label={title}
            xLabel={over}
            yLabel={title}
            series={drawn}
            menu={menu}
            highlighted={series.some((line) => line.id === chosen) ? chosen : null}
            onChoose={(line) =>
              series.some(({ id }) => id === line) && onChoose(chosen === line ? null : line)
            }
          />
          {drawn.every(({ points, reference = [] }) => points.length + reference.length === 0) && (
            <p className={styles.emptyChart}>No points measured yet.</p>
          )}
        </div>
        <PaperSources exhibit={exhibit} series={series} withOthers={at === 0} />
      </Section>
    );
  });
}

/** Where the paper's points in a chart were read. */
function PaperSources(props: {
  readonly exhibit: Exhibit;
  readonly series: readonly ExhibitSeries[];
  readonly withOthers: boolean;
}) {
  const { exhibit, series, withOthers } = props;
  const lines = [...series, ...(withOthers ? (exhibit.paperLines ?? []) : [])];
  const sources = new Set(lines.flatMap(({ reference }) => reference.map(({ source }) => source)));
  return sources.size === 0 ? null : (
    <p className={styles.method} data-selectable>
      The paper's points: {[...sources].join('; ')}.
    </p>
  );
}

/** Our line, with the paper's points where it gives them. */
function lineOf(series: ExhibitSeries, color: string, result: ExhibitResult | null): CurveSeries {
  const { id, label } = series;
  const points = result?.series.find((line) => line.id === id)?.points ?? [];
  return { id, label, color, points, reference: paperPoints(series), note: lineState(series, result) };
}

/** Lines that only the paper's figure has. */
function paperOnlySeries({ paperLines = [] }: Exhibit, colorOf: (id: string) => string): CurveSeries[] {
  return paperLines.map((line) => {
    const name = paperLineName(line.label);
    const reference = paperPoints(line);
    return { id: name, label: name, color: colorOf(name), points: [], reference, note: '' };
  });
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
      return 'missing';
    default:
      return state.kind;
  }
}
