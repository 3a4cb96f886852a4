import { SegmentedControl } from '@mantine/core';
import type { ContextAction } from './context-menu';
import { CurveChart, type CurveSeries } from './curve-chart';
import styles from './curve-panel.module.css';

type Choice = {
  readonly options: readonly { readonly id: string; readonly label: string }[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
};

/** The choices of measure and, if there are several, x axis. */
export function CurveSwitches(props: { readonly measure: Choice; readonly axis: Choice }) {
  const { measure, axis } = props;
  return (
    <>
      <Switch label="Measure of the curves" choice={measure} />
      {axis.options.length > 1 && <Switch label="What the curves run over" choice={axis} />}
    </>
  );
}

function Switch(props: { readonly label: string; readonly choice: Choice }) {
  const { options, chosen, onChoose } = props.choice;
  return (
    <SegmentedControl
      aria-label={props.label}
      value={chosen}
      onChange={onChoose}
      data={options.map(({ id, label }) => ({ value: id, label }))}
    />
  );
}

/** The chart, with a message while it is empty. */
export function CurvePanel(props: {
  readonly name: string;
  readonly over: string;
  readonly series: readonly CurveSeries[];
  readonly xEnd: number | null;
  readonly isWhole: boolean;
  readonly empty: string | null;
  readonly highlighted?: string;
  /** What the chart's context menu offers. */
  readonly menu?: (chart: Element) => readonly ContextAction[];
}) {
  const { name, over, series, xEnd, isWhole, empty, highlighted: stressed, menu } = props;
  return (
    <div className={styles.panel}>
      <CurveChart
        label={`${name} curves`}
        xLabel={over}
        yLabel={name}
        series={series}
        isWhole={isWhole}
        {...(xEnd === null ? {} : { xEnd })}
        {...(stressed === undefined ? {} : { highlighted: stressed })}
        {...(menu === undefined ? {} : { menu })}
      />
      {empty !== null && <p className={styles.empty}>{empty}</p>}
    </div>
  );
}
