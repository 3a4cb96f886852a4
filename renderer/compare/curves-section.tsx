import { useMemo } from 'react';
import type { RunComparison } from '../../preload/contract/run-comparison';
import { type CurveInput, useCurveMenu, useCurves } from '../state/index';
import { configurationColor } from '../theme/index';
import { CurvePanel, CurveSwitches } from '../widgets/curve-panel';
import { Section } from '../widgets/index';
import type { ComparedSelection } from './compared-runs';

/** More curves than this are unreadable and slow. */
const MAX_CURVES = 24;

/** Curves of the configurations; with many, those that end highest. */
export function CurvesSection(props: {
  readonly comparison: RunComparison;
  readonly runs: ComparedSelection['runs'];
}) {
  const { comparison, runs } = props;
  const { configurations, hues, analysis } = comparison;
  const curved = useMemo<CurveInput>(
    () => ({
      configurations,
      hues,
      nodes: Math.max(1, ...analysis.rows.map(({ nodesPerTree }) => nodesPerTree)),
    }),
    [configurations, hues, analysis],
  );
  const curves = useCurves(curved, analysis, configurationColor);
  const currency = analysis.costs.find(({ money }) => money != null)?.money?.currency;
  const over =
    curves.axis.chosen === 'money' && currency !== undefined ? `${curves.over}, ${currency}` : curves.over;
  const series = useMemo(() => {
    if (curves.series.length <= MAX_CURVES) return curves.series;
    const end = (curve: (typeof curves.series)[number]): number => curve.points.at(-1)?.y ?? -1;
    const least = curves.series.map(end).sort((a, b) => b - a)[MAX_CURVES - 1] ?? 0;
    return curves.series.filter((series) => end(series) >= least).slice(0, MAX_CURVES);
  }, [curves.series]);
  const menu = useCurveMenu(curves, { kind: 'runs', runs: [...runs] });
  const all = curves.series.length;
  return (
    <Section
      title={series.length < all ? `Curves, the ${series.length} highest of ${all}` : 'Curves'}
      fill
      aside={<CurveSwitches measure={curves.measure} axis={curves.axis} />}
    >
      <CurvePanel {...curves} series={series} over={over} menu={menu} />
    </Section>
  );
}
