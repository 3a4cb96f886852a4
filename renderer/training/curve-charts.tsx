import { memo, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { MAX_CURVE_POINTS, useChartMenu } from '../state/index';
import { formatCurveTick, formatCurveValue } from '../text/training-curves';
import { AgentShapeMark, count } from '../widgets/index';
import { LineChart } from '../widgets/line-chart';
import { smoothingText } from '../widgets/smoothing';
import { axisLabel, formatX } from './curve-axis';
import {
  type CurveOptions,
  type CurvePart,
  type LineName,
  lineNames,
  linesOf,
  type Panel,
  panelsOf,
  xEndOf,
} from './curve-panels';
import styles from './curves.module.css';
import type { Member } from './members';

/** A small chart per quantity with a shared cursor, a legend, and a caption that explains the lines. */
export const CurveCharts = memo(function CurveCharts(props: {
  readonly members: readonly Member[];
  readonly part: CurvePart | null;
  readonly options: CurveOptions;
  readonly stepName: string;
}) {
  const { members, part, stepName } = props;
  const options = useDeferredValue(props.options);
  const [stressed, setStressed] = useState<string | null>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  const panels = useMemo(() => panelsOf(members, part), [members, part]);
  const names = useMemo(() => lineNames(members, options.agents), [members, options.agents]);
  const xEnd = useMemo(
    () => xEndOf(members, options.axis, options.unit),
    [members, options.axis, options.unit],
  );
  const over = axisLabel(options.axis, options.unit, stepName);
  const isEvaluated = panels.some(({ part: of }) => of === 'evaluation');
  const areSeeds = names.some(({ members: of }) => of.length > 1);
  const areThinned = members.some((member) =>
    member.curves.some(({ steps }) => steps.length > MAX_CURVE_POINTS * 0.9),
  );
  const areTeams = names.some(({ agent, members: of }) => agent === 'all' && (of[0]?.agents.length ?? 0) > 1);
  return (
    <>
      <CurveLegend
        names={names}
        onStress={setStressed}
        at={
          cursor === null
            ? endText(options.smoothing, stepName, isEvaluated)
            : `Numbers beside titles: values at ${formatX(cursor)} ${over}`
        }
      />
      <div className={styles.panels}>
        {panels.map((panel) => (
          <PanelChart
            key={panel.id}
            panel={panel}
            names={names}
            options={options}
            over={over}
            xEnd={xEnd}
            cursor={cursor}
            onCursor={setCursor}
            stressed={stressed}
          />
        ))}
      </div>
      <p className={styles.caption}>
        Over {over}. {smoothingText(options.smoothing, stepName, areSeeds || areTeams)}
        {options.smoothing > 0 && isEvaluated && ' Values on held-out problems are as logged.'}
        {areSeeds &&
          ' Several seeds are drawn as their mean; the band runs from the lowest to the highest seed.'}
        {areTeams && ' Teams are drawn as the mean of their agents.'}
        {areThinned &&
          ` Curves of more than ${count(MAX_CURVE_POINTS)} points are thinned to the lowest and highest of each interval.`}
      </p>
    </>
  );
});

/** What the numbers beside the titles are while no cursor is in a chart. */
function endText(smoothing: CurveOptions['smoothing'], stepName: string, isEvaluated: boolean): string {
  const heldOut = isEvaluated ? '; held-out problems: the last value' : '';
  const which = smoothing === 0 ? 'last values' : `mean of the last ${smoothing} ${stepName}${heldOut}`;
  return `Numbers beside titles: ${which}`;
}

/** Legend of the lines; hovering one brings it to the front in every chart. */
function CurveLegend(props: {
  readonly names: readonly LineName[];
  readonly onStress: (id: string | null) => void;
  /** What the numbers beside the titles are, e.g. "at 134 updates". */
  readonly at: string;
}) {
  const { names, onStress, at } = props;
  return (
    <ul className={styles.legend} aria-label="Lines">
      {names.map(({ id, label, color, shape }) => (
        <li key={id} onPointerEnter={() => onStress(id)} onPointerLeave={() => onStress(null)}>
          <i style={{ background: color }} />
          <AgentShapeMark agent={{ shape, color }} size={9} />
          <span>{label}</span>
        </li>
      ))}
      <li className={styles.at}>{at}</li>
    </ul>
  );
}

/** One quantity as a small chart. */
const PanelChart = memo(function PanelChart(props: {
  readonly panel: Panel;
  readonly names: readonly LineName[];
  readonly options: CurveOptions;
  readonly over: string;
  readonly xEnd: number;
  readonly cursor: number | null;
  readonly onCursor: (x: number | null) => void;
  readonly stressed: string | null;
}) {
  const { panel, names, options, over, xEnd, cursor, onCursor, stressed } = props;
  const { unit } = panel.key;
  const lines = useMemo(() => linesOf(panel, names, options), [panel, names, options]);
  const formatValue = useCallback((value: number) => formatCurveValue(unit, value), [unit]);
  const menu = useChartMenu(panel.title, null);
  const ticks = useCallback((value: number, step: number) => formatCurveTick(unit, value, step), [unit]);
  return (
    <LineChart
      title={panel.title}
      hint={panel.key.hint}
      lines={lines}
      over={over}
      xEnd={xEnd}
      cursor={cursor}
      onCursor={onCursor}
      formatValue={formatValue}
      formatTick={ticks}
      formatX={formatX}
      integerX={options.axis === 'steps' || options.axis === 'samples'}
      highlighted={stressed}
      menu={menu}
    />
  );
});
