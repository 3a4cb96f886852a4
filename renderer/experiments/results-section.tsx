import { Tooltip } from '@mantine/core';
import type { ExperimentResult, ExperimentView } from '../../preload/contract/experiment';
import {
  EXPERIMENT_METRIC_TITLES,
  experimentEvaluation,
  experimentIntervals,
  experimentScale,
  fixedText,
  hasWidth,
} from '../../preload/contract/plans/index';
import { ScaleTag } from '../shared/studies/index';
import { configurationColor } from '../theme/index';
import { count, percent, plural, Section, WideTable } from '../widgets/index';
import styles from './experiments.module.css';
import paper from './results.module.css';
import {
  cellKey,
  PART_HINTS,
  type ResultCell,
  type ResultGroup,
  type ResultRow,
  resultTable,
} from './results-table';

/** The results table as in a paper, with the controls in a separate group. */
export function ResultsSection(props: {
  readonly view: ExperimentView;
  /** null: not available yet. */
  readonly result: ExperimentResult | null;
}) {
  const { view, result } = props;
  const { groups, methods, controls } = resultTable(view.order, result);
  const columns = 1 + groups.reduce((sum, { parts }) => sum + parts.length, 0) + 3;
  return (
    <Section title="Results" aside={<ScaleTag scale={experimentScale(view.order)} />}>
      <WideTable numbers className={paper.results} label="Results by method">
        <thead>
          <tr>
            <th scope="col" className={`${paper.group} ${paper.method}`}>
              Method
            </th>
            {groups.map(({ metric, label, unit, hint, parts }) => (
              <th key={metric} scope="colgroup" colSpan={parts.length} className={paper.group}>
                <Tooltip label={hint} multiline w={260}>
                  <span>
                    {label} <small>{unit}</small>
                  </span>
                </Tooltip>
              </th>
            ))}
            <th scope="col" className={paper.group}>
              <Tooltip
                label="Training samples without a gradient, because all rewards of their group are equal"
                multiline
                w={260}
              >
                <span>
                  {EXPERIMENT_METRIC_TITLES['zero-advantage']} <small>%</small>
                </span>
              </Tooltip>
            </th>
            <th scope="colgroup" colSpan={2} className={paper.group}>
              Samples
            </th>
          </tr>
          <tr>
            <td className={paper.column} />
            {groups.flatMap(({ metric, parts }) =>
              parts.map((part) => (
                <th key={cellKey(metric, part)} scope="col" className={paper.column} title={PART_HINTS[part]}>
                  {part}
                </th>
              )),
            )}
            <td className={paper.column} />
            <th scope="col" className={paper.column}>
              per agent
            </th>
            <th scope="col" className={paper.column}>
              total
            </th>
          </tr>
        </thead>
        <tbody>
          {methods.map((row) => (
            <MethodRow key={row.label} row={row} groups={groups} />
          ))}
        </tbody>
        {controls.length > 0 && (
          <tbody>
            <tr>
              <th scope="rowgroup" colSpan={columns} className={paper.controls}>
                <span>Controls: they show where a gain comes from</span>
              </th>
            </tr>
            {controls.map((row) => (
              <MethodRow key={row.label} row={row} groups={groups} />
            ))}
          </tbody>
        )}
      </WideTable>
      <p className={styles.foot}>{footnote(view, result)}</p>
    </Section>
  );
}

function footnote(view: ExperimentView, result: ExperimentResult | null): string {
  if (result === null || result.cells.length === 0) {
    return view.done === 0
      ? 'Values appear when the first training is done.'
      : 'Calculating values and intervals.';
  }
  const problems = Math.max(0, ...result.cells.map((cell) => cell.problems));
  const over = experimentIntervals(result.cells, experimentEvaluation(view.order, problems));
  const spread = result.cells.some(({ seeds }) => seeds > 1)
    ? '; SD: standard deviation over the seeds'
    : '. The share of samples without a gradient is a single number of the one training, without an interval';
  return `Below each value: 95 % interval, bootstrap ${over}${spread}. ${
    result.complete ? '' : `${view.done} of ${plural(view.total, 'training')} done. `
  }${view.order.models === undefined ? 'Pocket scale: small policies on generated problems.' : ''}`;
}

function MethodRow(props: { readonly row: ResultRow; readonly groups: readonly ResultGroup[] }) {
  const { row, groups } = props;
  const { label, position, families, seeds, budget } = row;
  const samples = budget === null ? null : budget.samplesPerAgent;
  return (
    <tr>
      <th scope="row" className={paper.method}>
        <i className={styles.swatch} style={{ background: configurationColor(position) }} />
        <b>{label}</b>
        <small>
          {families.join(' + ')}
          {seeds > 0 && `, ${plural(seeds, 'seed')}`}
        </small>
      </th>
      {groups.flatMap(({ metric, parts }) =>
        parts.map((part) => (
          <td key={cellKey(metric, part)}>
            <Value
              cell={row.cells.get(cellKey(metric, part)) ?? null}
              format={metric === 'da@k' ? twoDigits : percent}
            />
          </td>
        )),
      )}
      <td>
        <Value cell={row.zeroAdvantage} format={percent} />
      </td>
      <td className={paper.soft}>{samples === null ? '–' : count(samples)}</td>
      <td className={paper.soft}>{budget === null ? '–' : count(budget.samplesTotal)}</td>
    </tr>
  );
}

function twoDigits(value: number): string {
  return fixedText(value, 2);
}

/** A value with its interval below. */
function Value(props: { readonly cell: ResultCell | null; readonly format: (value: number) => string }) {
  const { cell, format: words } = props;
  if (cell === null) return <span className={paper.missing}>–</span>;
  const { value, low, high, seeds, problems, seedSpread, agents } = cell;
  const basis = `${plural(seeds, 'seed')}${problems > 0 ? `, ${plural(problems, 'problem')}` : ''}`;
  const each =
    agents.length < 2 ? '' : `: ${agents.map((agent) => `${agent.name} ${words(agent.value)}`).join(', ')}`;
  return (
    <Tooltip label={`${basis}${each}`}>
      <span>
        <b>{words(value)}</b>
        {hasWidth({ low, high }) && (
          <small>
            {words(low)} – {words(high)}
          </small>
        )}
        {seedSpread !== undefined && <small>SD {words(seedSpread.sd)}</small>}
      </span>
    </Tooltip>
  );
}
