import { SegmentedControl } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import type { ExperimentView } from '../../preload/contract/experiment';
import { evaluatedOn } from '../../preload/contract/plans/index';
import { LOADING, type Loadable, readyValue, useChartMenu, useCurvesOfMany } from '../state/index';
import { formatCurveTick, formatCurveValue } from '../text/training-curves';
import { FormNote, FormWarning, LoadingState, Section, Select } from '../widgets/index';
import { LineChart } from '../widgets/line-chart';
import { SMOOTHINGS, type Smoothing } from '../widgets/smoothing';
import styles from './experiments.module.css';
import { type Axis, endOf, type KnownCurves, learningLines, quantitiesOf } from './learning-lines';

/** Learning curves of every row, over the seeds that have run so far. */
export function CurvesSection({ view }: { readonly view: ExperimentView }) {
  const menu = useChartMenu(`Learning curves of ${view.order.name}`, null);
  const ids = view.trainings.flatMap(({ trainingId }) => trainingId ?? []);
  const loaded = useCurvesOfMany(ids);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [axis, setAxis] = useState<Axis>('steps');
  const [smoothing, setSmoothing] = useState<Smoothing>(20);
  const [cursor, setCursor] = useState<number | null>(null);
  const [stressed, setStressed] = useState<string | null>(null);
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const curves = useDeferredValue(
    useMemo(
      (): KnownCurves => new Map(ids.map((id, at) => [id, readyValue(loaded[at] ?? LOADING) ?? []])),
      // `loaded` changes whenever a curve or the ids do.
      [loaded],
    ),
  );
  const quantities = useMemo(
    () => quantitiesOf(curves, evaluatedOn(view.order).problems),
    [curves, view.order],
  );
  const quantity = quantities.find(({ id }) => id === chosenId) ?? quantities[0] ?? null;
  // Evaluations are few: smoothing over many steps would smooth nothing.
  const smooths = quantity?.part === 'evaluation' ? 0 : smoothing;
  const lines = useMemo(
    () => (quantity === null ? [] : learningLines(view, curves, { quantity, axis, smoothing: smooths })),
    [view, curves, quantity, axis, smooths],
  );
  const deleted = deletedText(view, loaded);
  const drawn = useMemo(() => lines.filter(({ id }) => !hidden.includes(id)), [lines, hidden]);
  if (ids.length === 0) return null;
  if (view.fromBundle !== undefined) {
    return (
      <Section title="Learning curves">
        <FormNote>
          Its trainings stayed in the other lab. Its learning curves are figures under Export.
        </FormNote>
      </Section>
    );
  }
  return (
    <Section
      title="Learning curves"
      aside={
        quantity !== null && (
          <>
            <Select
              aria-label="Quantity"
              w={200}
              allowDeselect={false}
              comboboxProps={{ transitionProps: { duration: 0 } }}
              value={quantity.id}
              data={quantities.map(({ id, label }) => ({ value: id, label }))}
              onChange={setChosenId}
            />
            <SegmentedControl
              aria-label="X axis"
              value={axis}
              onChange={(value) => setAxis(value === 'samples' ? 'samples' : 'steps')}
              data={[
                { value: 'steps', label: 'Updates' },
                { value: 'samples', label: 'Samples per agent' },
              ]}
            />
            {quantity.part !== 'evaluation' && (
              <SegmentedControl
                aria-label="Smoothing, updates"
                value={String(smoothing)}
                onChange={(value) => setSmoothing(SMOOTHINGS.find((choice) => String(choice) === value) ?? 0)}
                data={SMOOTHINGS.map((value) => ({
                  value: String(value),
                  label: value === 0 ? 'Raw' : `Mean of ${value}`,
                }))}
              />
            )}
          </>
        )
      }
    >
      {deleted !== null && <FormWarning text={deleted} />}
      {quantity === null ? (
        loaded.some(({ kind }) => kind === 'loading') ? (
          <LoadingState text="Loading the curves" />
        ) : (
          <FormNote>No updates yet.</FormNote>
        )
      ) : (
        <>
          <ul className={styles.chartLegend} aria-label="Rows">
            {lines.map(({ id, label, color }) => (
              <li key={id}>
                <button
                  type="button"
                  aria-pressed={!hidden.includes(id)}
                  title={hidden.includes(id) ? `Show ${label}` : `Hide ${label}`}
                  onClick={() =>
                    setHidden(hidden.includes(id) ? hidden.filter((other) => other !== id) : [...hidden, id])
                  }
                  onPointerEnter={() => setStressed(id)}
                  onPointerLeave={() => setStressed(null)}
                >
                  <i className={styles.swatch} style={{ background: color }} />
                  {label}
                </button>
              </li>
            ))}
          </ul>
          <div className={styles.chart}>
            <LineChart
              title={`${quantity.label}${quantity.unit === 'share' ? ', %' : ''}`}
              hint=""
              lines={drawn}
              over={axis === 'steps' ? 'updates' : 'samples per agent'}
              xEnd={endOf(lines)}
              cursor={cursor}
              onCursor={setCursor}
              formatValue={(value) => formatCurveValue(quantity.unit, value)}
              formatTick={(value, step) => formatCurveTick(quantity.unit, value, step)}
              formatX={(x) => Math.round(x).toLocaleString('en')}
              integerX
              menu={menu}
              highlighted={stressed !== null && hidden.includes(stressed) ? null : stressed}
            />
          </div>
          <p className={styles.foot}>
            {lines.every(({ points }) => points.xs.length === 1) && 'Measured once: one point per row. '}
            Over {axis === 'steps' ? 'updates' : 'samples per agent'}. Lines are means over seeds and agents;
            bands run from the lowest to the highest seed.{' '}
            {smooths === 0 ? 'Values as logged.' : `Smoothed: mean of the last ${smooths} updates.`}
          </p>
        </>
      )}
    </Section>
  );
}

/** Which curves the lines lack, as their trainings were deleted; null: none. */
function deletedText(view: ExperimentView, loaded: readonly Loadable<unknown>[]): string | null {
  const lost = view.trainings
    .filter(({ trainingId }) => trainingId !== null)
    .flatMap(({ label, seed }, at) => {
      const curves = loaded[at];
      const isGone = curves?.kind === 'failed' && curves.error.code === 'not-found';
      return isGone ? [`${label}, seed ${seed}`] : [];
    });
  if (lost.length === 0) return null;
  return `Without the curves of ${lost.join('; ')}, which ${lost.length === 1 ? 'was' : 'were'} deleted. Lines are means of the trainings that are left.`;
}
