import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Diversity, DiversityCell } from '../../preload/contract/diversity';
import { fixedText, hasWidth } from '../../preload/contract/plans/index';
import type { ComparedRuns, RunComparison } from '../../preload/contract/run-comparison';
import { useChartMenu, useRunDiversity, useTask, useWorkbench } from '../state/index';
import { METRICS } from '../text/metrics';
import { taskLabel, taskShare } from '../text/tasks';
import { type ContextAction, copyAction, percent, Section, Select, TaskLine } from '../widgets/index';
import { ScatterPlot } from '../widgets/scatter-plot';
import styles from './compare.module.css';
import { type FigureColumn, FiguresTable, type NamedRow } from './figures-table';
import { ShowMore, useVisibleRows } from './show-more';
import tables from './tables.module.css';

const MEASURE_LABELS: Readonly<Record<DiversityCell['measure'], { label: string; hint: string }>> = {
  distinct: {
    label: 'Distinct in trees',
    hint: 'Share of distinct programs in a search tree, mean over trees',
  },
  'da@k': { label: 'DA@', hint: 'Expected number of distinct algorithms among K correct candidates' },
  ea: { label: 'EA', hint: 'Effective number of algorithms among the correct candidates' },
  nauadc: { label: 'NAUADC', hint: 'Normalised area under the DA@K curve, K = 1 to 25' },
  aec: { label: 'AEC (ours)', hint: 'Effective number of algorithms, counting unsolved problems as 0' },
  vendi: { label: 'Vendi', hint: 'Effective number of distinct candidates' },
  'g-vendi': { label: 'G-Vendi', hint: 'Vendi score over gradients of the policy' },
};

const idOf = ({ measure, k }: DiversityCell): string => `${measure} ${k}`;

/** Diversity of the candidates, plotted against accuracy. Measured on request, as it reads every program. */
export function DiversitySection(props: {
  readonly runs: ComparedRuns;
  readonly comparison: RunComparison;
  readonly rows: readonly NamedRow[];
  /** Opens a run of the configuration. */
  readonly onOpen: (configuration: string) => void;
}) {
  const { runs, rows } = props;
  const { comparisons, tasks } = useWorkbench();
  const running = useTask('diversity');
  const diversityState = useRunDiversity(runs);
  const { shown, hidden, more } = useVisibleRows(rows);
  return (
    <Section
      title="Diversity"
      aside={
        running === null && (
          <Button variant="default" size="compact-xs" onClick={() => void comparisons.measureDiversity(runs)}>
            {diversityState === null ? 'Measure' : 'Measure again'}
          </Button>
        )
      }
    >
      {running !== null && (
        <TaskLine
          label={taskLabel(running)}
          share={taskShare(running)}
          onCancel={() => void tasks.cancel('diversity')}
        />
      )}
      {diversityState === null && running === null && (
        <p className={tables.soft}>Measuring reads every program and groups the correct ones by algorithm.</p>
      )}
      {diversityState !== null && (
        <>
          <FiguresTable
            rows={shown}
            label="Diversity"
            columns={columnsOf(diversityState.cells)}
            figureOf={(configuration, id) => {
              const cell = diversityState.cells.find(
                (cell) => cell.configuration === configuration && idOf(cell) === id,
              );
              return cell === undefined
                ? null
                : {
                    text: fixedText(cell.value, 2),
                    aside: [
                      ...(hasWidth(cell) ? [`${fixedText(cell.low, 2)} – ${fixedText(cell.high, 2)}`] : []),
                      ...(cell.seedSpread === undefined ? [] : [`SD ${fixedText(cell.seedSpread.sd, 2)}`]),
                    ].join(', '),
                  };
            }}
          />
          <ShowMore hidden={hidden} noun="configuration" onMore={more} />
          <AccuracyScatter
            diversity={diversityState}
            comparison={props.comparison}
            rows={rows}
            onOpen={props.onOpen}
          />
          <p className={styles.note}>{diversityState.method}</p>
        </>
      )}
    </Section>
  );
}

function columnsOf(cells: readonly DiversityCell[]): readonly FigureColumn[] {
  const columns = new Map<string, FigureColumn>();
  for (const cell of cells) {
    const { label, hint } = MEASURE_LABELS[cell.measure];
    columns.set(idOf(cell), { id: idOf(cell), label: `${label}${cell.k ?? ''}`, hint });
  }
  return [...columns.values()];
}

/** Each configuration as a point: diversity against accuracy. */
function AccuracyScatter(props: {
  readonly diversity: Diversity;
  readonly comparison: RunComparison;
  readonly rows: readonly NamedRow[];
  readonly onOpen: (configuration: string) => void;
}) {
  const { diversity, comparison, rows, onOpen } = props;
  const measures = columnsOf(diversity.cells);
  const [chosenMeasure, setMeasure] = useState<string | null>(null);
  const [metric, setMetric] = useState('pass@n');
  const measure = measures.find(({ id }) => id === (chosenMeasure ?? 'aec null')) ?? measures[0];
  const chosen = METRICS.find(({ id }) => id === metric);
  const title = [chosen?.label, measure?.label].join(' over ');
  const chartMenu = useChartMenu(title, null);
  if (measure === undefined || chosen === undefined) return null;
  const points = rows.flatMap(({ name, color }) => {
    const x = diversity.cells.find((cell) => cell.configuration === name && idOf(cell) === measure.id);
    const y = comparison.analysis.rows
      .find(({ configuration }) => configuration === name)
      ?.cells.find((cell) => cell.metric === metric && cell.problems > 0);
    return x === undefined || y === undefined ? [] : [{ id: name, label: name, color, x, y }];
  });
  const menu = (id: string | null, chart: Element): readonly ContextAction[] => {
    const point = points.find((one) => one.id === id);
    if (point === undefined) return chartMenu(chart);
    const { label, x, y } = point;
    const [accuracy, diversityText] = [percent(y.value, 1), fixedText(x.value, 2)];
    return [
      { label: `Open a run of ${label}`, run: () => onOpen(label) },
      copyAction('Copy values', `${label}: ${chosen.label} ${accuracy} %, ${measure.label} ${diversityText}`),
      ...chartMenu(chart),
    ];
  };
  return (
    <div className={styles.scatter}>
      <div className={styles.axes}>
        <Select
          aria-label="Accuracy"
          w={150}
          allowDeselect={false}
          value={metric}
          data={METRICS.map(({ id, label }) => ({ value: id, label }))}
          onChange={(value) => setMetric(value ?? 'pass@n')}
        />
        <span className={tables.soft}>over</span>
        <Select
          aria-label="Diversity measure"
          w={150}
          allowDeselect={false}
          value={measure.id}
          data={measures.map(({ id, label }) => ({ value: id, label }))}
          onChange={setMeasure}
        />
      </div>
      <ScatterPlot
        label={title}
        xLabel={measure.label}
        yLabel={`${chosen.label}, %`}
        points={points}
        formatY={(value) => percent(value, 0)}
        menu={menu}
      />
    </div>
  );
}
