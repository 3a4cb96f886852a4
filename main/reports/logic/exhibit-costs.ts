import type { Exhibit } from '../../../preload/contract/index';
import {
  COMPLEMENT_SENTENCE,
  COMPLEMENT_SHORT,
  exhibitAtScale,
  standInSentence,
} from '../../../preload/contract/plans/index';
import { COST_MEANINGS, COST_OF_SAMPLES, SHARES_NOTE } from './cost-shares';
import { tokensNote, tokensNotes, trainingNote } from './exhibit-notes';
import { type ExhibitSource, exhibitTable, layoutTitle, nodesOf } from './exhibit-tables';
import { meaningNotes } from './reading';
import { column, number, type ReportTable } from './report-table';

/** The cost of every cell; the sum is the cost of the jobs. */
export function exhibitCosts(source: ExhibitSource): ReportTable {
  const { result, seeds } = source;
  const exhibit = exhibitAtScale(source.exhibit, result.scale);
  const { scale } = result;
  const label = (list: Exhibit['rows'] | Exhibit['columns'], id: string): string => {
    const item = list.find((item) => item.id === id);
    if (item === undefined) return id;
    return item.group === '' ? item.label : `${item.group}, ${item.label}`;
  };
  const sum = (part: 'seconds' | 'gpuSeconds' | 'tokens'): number | null =>
    result.cells.reduce<number | null>((total, { cost }) => {
      const own = cost[part];
      return total === null || own === null ? null : total + own;
    }, 0);
  const samples = tokensNotes(source);
  const standIns = standInSentence(source.exhibit, scale);
  const configurationOf = (row: string, columnId: string): string | undefined => {
    const own = exhibit.cells.find((cell) => cell.row === row && cell.column === columnId)?.configuration;
    return exhibit.configurations.find(({ id }) => id === own)?.label;
  };
  /** For a cell whose searches other cells need too, or that needs theirs. */
  const noteOf = (label: string | undefined): { readonly note?: string } => {
    for (const { name, configuration, other, text } of samples) {
      if (configuration === label) return { note: `${text} ${COST_OF_SAMPLES}` };
      if (other === label) {
        return {
          note: `A share of the cost of its trainings and searches is in the rows of "${name}", which need them, too. ${SHARES_NOTE}.`,
        };
      }
    }
    return {};
  };
  return {
    id: 'cell-costs',
    latexLabel: `${exhibit.id}-costs`,
    title: `What each value of the table "exhibit" cost here, as measured. ${layoutTitle(exhibit)}`,
    shortTitle: `Cost of each value of ${exhibit.place}`,
    rowTitle: 'Cell',
    columns: [
      column(
        'seconds',
        'Seconds',
        { kind: 'number', digits: 1, of: 'seconds' },
        { meaning: COST_MEANINGS.seconds },
      ),
      column(
        'gpu_seconds',
        'GPU-seconds',
        { kind: 'number', digits: 1, of: 'GPU-seconds' },
        { meaning: COST_MEANINGS.gpuSeconds },
      ),
      column(
        'tokens',
        'Tokens',
        { kind: 'number', digits: 0, of: 'tokens' },
        { meaning: COST_MEANINGS.tokens },
      ),
    ],
    rows: [
      ...result.cells.map(({ row, column: at, cost }) => {
        const configuration = configurationOf(row, at);
        return {
          label: `${label(exhibit.rows, row)}: ${label(exhibit.columns, at)}`,
          group: '',
          seeds,
          scale,
          nodes: nodesOf(source, row),
          ...(configuration === undefined ? {} : { configuration }),
          ...noteOf(configuration),
          cells: [number(cost.seconds), number(cost.gpuSeconds), number(cost.tokens)],
        };
      }),
      {
        label: 'All cells',
        group: '',
        seeds,
        scale,
        cells: [number(sum('seconds')), number(sum('gpuSeconds')), number(sum('tokens'))],
      },
    ],
    notes: [
      `Work that was done before, for another table, counts as if it had been done for this one. Two values of a row of the table "exhibit" that come from the same searches cost the same. ${SHARES_NOTE}. Seconds depend on the machine as well. "All cells": the sum of the shares before they are rounded.`,
      ...meaningNotes({ columns: exhibitTable(source).columns }).map(({ full }) => full),
      ...trainingNote(source),
      ...tokensNote(source, ` ${COST_OF_SAMPLES}`),
      ...(standIns === null ? [] : [standIns]),
      ...(result.sentences.includes(COMPLEMENT_SENTENCE) ? [`${COMPLEMENT_SHORT}.`] : []),
      ...(result.cells.some(({ cost }) => Object.values(cost).includes(null))
        ? ['A dash: of work that was done before it is not known.']
        : []),
    ],
    method: '',
    complete: result.complete,
  };
}
