import { memo, useDeferredValue, useMemo, useState } from 'react';
import { MOST_CURVE_POINTS } from '../state/index';
import { count } from '../widgets/index';
import { smoothingWords } from '../widgets/smoothing';
import { axisWords, xWords } from './curve-axis';
import { CurveLegend } from './curve-legend';
import { type CurvePart, type Look, lineNames, panelsOf, xEndOf } from './curve-panels';
import styles from './curves.module.css';
import type { Member } from './members';
import { PanelChart } from './panel-chart';

/** Small charts of every quantity, which read the same place; whose lines they are, and what the lines are. */
export const CurveCharts = memo(function CurveCharts(props: {
  readonly members: readonly Member[];
  readonly part: CurvePart | null;
  readonly look: Look;
  readonly stepName: string;
}) {
  const { members, part, stepName } = props;
  const look = useDeferredValue(props.look);
  const [stressed, setStressed] = useState<string | null>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  const panels = useMemo(() => panelsOf(members, part), [members, part]);
  const names = useMemo(() => lineNames(members, look.agents), [members, look.agents]);
  const xEnd = useMemo(() => xEndOf(members, look.axis, look.unit), [members, look.axis, look.unit]);
  const over = axisWords(look.axis, look.unit, stepName);
  const areSeeds = names.some(({ members: of }) => of.length > 1);
  const areThinned = members.some((one) =>
    one.curves.some(({ steps }) => steps.length > MOST_CURVE_POINTS * 0.9),
  );
  const areTeams = names.some(({ agent, members: of }) => agent === 'all' && (of[0]?.agents.length ?? 0) > 1);
  return (
    <>
      <CurveLegend
        names={names}
        onStress={setStressed}
        at={cursor === null ? null : `at ${xWords(cursor)} ${over}`}
      />
      <div className={styles.panels}>
        {panels.map((panel) => (
          <PanelChart
            key={panel.id}
            panel={panel}
            names={names}
            look={look}
            over={over}
            xEnd={xEnd}
            cursor={cursor}
            onCursor={setCursor}
            stressed={stressed}
          />
        ))}
      </div>
      <p className={styles.caption}>
        Over {over}. {smoothingWords(look.smoothing, stepName, areSeeds || areTeams)}
        {areSeeds &&
          ' Several seeds are one line, the mean of those that have come so far; its band goes from the lowest to the highest of them.'}
        {areTeams && ' Of a team the mean of its agents is drawn.'}
        {areThinned &&
          ` Of more than ${count(MOST_CURVE_POINTS)} points the lowest and highest of each stretch are drawn, and smoothed.`}
      </p>
    </>
  );
});
