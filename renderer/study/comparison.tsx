import { Anchor } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Analysis, MetricName } from '../../preload/contract/analysis';
import type { StudyOutcomes } from '../../preload/contract/outcomes';
import { methodTitle } from '../../preload/contract/plans/index';
import type { Refusal } from '../../preload/contract/refusal';
import type { Study } from '../../preload/contract/study';
import {
  basisText,
  type EstimateCell,
  type EstimateRow,
  EstimateTable,
  MethodNotes,
  noteWithScale,
  ScaleTag,
} from '../shared/studies/index';
import {
  configurationsOf,
  damagedRuns,
  groupLetters,
  type Loadable,
  readyValue,
  scalesOf,
  useHues,
  useWorkbench,
} from '../state/index';
import { type METRICS, measuredMetrics } from '../text/metrics';
import { otherGradingMode, ownSearchFacts } from '../text/search';
import { configurationColor } from '../theme/index';
import { FailedState, percent, plural, seedNumbers } from '../widgets/index';
import { RegradeDialog } from './regrade-dialog';
import styles from './study.module.css';

const FACTS = [
  {
    label: 'Problems',
    hint: 'Problems counted so far: all their trees and samples are written and graded, for all seeds',
  },
  { label: 'Nodes', hint: 'Nodes of one tree (N)' },
  { label: 'Seeds', hint: 'Seeds counted, one run each' },
  {
    label: 'Distinct %',
    hint: 'Distinct programs among all nodes and samples of a problem and run, in percent',
  },
] as const;

/** The study's comparison table: configurations by metrics, with intervals, group letters, problems and seeds. */
export function ComparisonTable(props: {
  readonly study: Study;
  readonly analysis: Loadable<Analysis>;
  readonly outcomes: StudyOutcomes | null;
  readonly onOpen?: (configuration: string) => void;
}) {
  const { study, analysis, outcomes, onOpen } = props;
  const readyAnalysis = readyValue(analysis);
  const hues = useHues(useMemo(() => configurationsOf(study), [study]));
  if (analysis.kind === 'failed') return <AnalysisFailed studyId={study.id} error={analysis.error} />;
  const metrics = columnsOf(study, measuredMetrics(readyAnalysis));
  const rows = estimateRows(study, hues, readyAnalysis, metrics, outcomes);
  return (
    <>
      <EstimateTable
        label="Comparison of configurations"
        columns={metrics}
        facts={FACTS}
        rows={rows}
        {...(onOpen === undefined ? {} : { onOpen })}
      />
      <div className={styles.foot}>
        <ScaleTag scale={scalesOf(study)} />
        {readyAnalysis === null ? (
          <span>Calculating values and intervals</span>
        ) : (
          <MethodNotes
            analysis={readyAnalysis}
            columns={metrics}
            facts={FACTS}
            unfinished="the study is not finished: a row counts a problem once all programs for it are graded, samples too"
          />
        )}
        {readyAnalysis !== null && readyAnalysis.differingVerdicts > 0 && (
          <DifferingVerdicts study={study} differing={readyAnalysis.differingVerdicts} />
        )}
      </div>
    </>
  );
}

/** The columns; where all programs are independent samples, the hint says that no tree was searched. */
function columnsOf(study: Study, metrics: typeof METRICS): typeof METRICS {
  if (study.runs.some(({ search }) => search.strategy.kind !== 'repeated')) return metrics;
  return metrics.map((metric) =>
    metric.id === 'pass@1(mcts)'
      ? { ...metric, hint: `Best of N, as no tree was searched: ${metric.hint.replace('node', 'program')}` }
      : metric,
  );
}

/** How many verdicts depend on the grading mode, with a link to grade in the other one. */
function DifferingVerdicts(props: { readonly study: Study; readonly differing: number }) {
  const { study, differing } = props;
  const [asking, setAsking] = useState(false);
  const other = otherGradingMode(study);
  return (
    <span className={styles.differing}>
      {plural(differing, 'verdict')} {differing === 1 ? 'depends' : 'depend'} on the grading mode: as a
      program, or as published.{' '}
      <Anchor component="button" type="button" fz="inherit" onClick={() => setAsking(true)}>
        Grade again in the other mode
      </Anchor>
      {asking && (
        <RegradeDialog
          study={study}
          {...(other === null ? {} : { mode: other })}
          onClose={() => setAsking(false)}
        />
      )}
    </span>
  );
}

export function AnalysisFailed(props: { readonly studyId: string; readonly error: Refusal }) {
  const { analyses } = useWorkbench();
  return (
    <FailedState
      title="Could not compare the configurations"
      message={props.error.message}
      hint={props.error.hint}
      action={{ label: 'Try again', run: () => analyses.refresh(props.studyId) }}
    />
  );
}

function estimateRows(
  study: Study,
  hues: readonly number[],
  analysis: Analysis | null,
  metrics: typeof METRICS,
  outcomes: StudyOutcomes | null,
): readonly EstimateRow[] {
  const damaged = damagedRuns(study, outcomes);
  const configurations = configurationsOf(study);
  const letters = new Map(metrics.map(({ id }) => [id, groupLetters(analysis, id)] as const));
  return configurations.map((configuration, position): EstimateRow => {
    const row = analysis?.rows.find((row) => row.configuration === configuration);
    const runs = study.runs.filter((run) => run.configuration === configuration);
    const seeds = row?.seeds ?? runs.map(({ seed }) => seed);
    const agents = runs[0]?.team.agents.map(({ name }) => name).join(', ') ?? '';
    const cell = (metric: MetricName): EstimateCell | null => {
      const filled = row?.cells.find((candidate) => candidate.metric === metric);
      if (filled === undefined || filled.problems === 0) return null;
      const { value, low, high, overTies, seedSpread } = filled;
      const ties =
        overTies === undefined
          ? ''
          : `. Ties between nodes broken by chance: ${percent(overTies)} % on average`;
      const letter = letters.get(metric)?.get(configuration) ?? '';
      return {
        value,
        low,
        high,
        letters: letter,
        seedSpread,
        basis: `${basisText(filled)}${ties}`,
      };
    };
    const n = row === undefined ? 0 : Math.max(0, ...row.cells.map(({ problems }) => problems));
    return {
      id: configuration,
      label: configuration,
      color: configurationColor(hues[position] ?? 0),
      note: noteWithScale(agents, runs[0]?.scale, study.runs),
      detail: ownSearchFacts(study, configuration, methodTitle).join(' · '),
      warning:
        damaged.find(({ run }) => run.configuration === configuration) === undefined
          ? null
          : 'A journal is damaged: incomplete problems are left out',
      cells: metrics.map(({ id }) => cell(id)),
      facts: [
        analysis === null ? '–' : String(n),
        String(row?.nodesPerTree ?? runs[0]?.search.nodes ?? ''),
        { text: String(seeds.length), hint: seedNumbers(seeds) },
        row === undefined || n === 0 ? '–' : percent(row.distinctShare, 0),
      ],
    };
  });
}
