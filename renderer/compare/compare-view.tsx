import { memo, useCallback, useMemo } from 'react';
import { assertNever } from '../../preload/contract/assert-never';
import { COMPLEMENT_SENTENCE, COMPLEMENT_SHORT } from '../../preload/contract/plans/index';
import type { RunComparison } from '../../preload/contract/run-comparison';
import { runRoute, useWorkbench, type CompareView as View } from '../state/index';
import { configurationColor } from '../theme/index';
import { ConclusionList, Section, WarningList } from '../widgets/index';
import styles from './compare.module.css';
import type { ComparedSelection } from './compared-runs';
import { ContributionsSection } from './contributions-section';
import { CostsSection } from './costs-section';
import { CurvesSection } from './curves-section';
import { CutoffsSection } from './cutoffs-section';
import { DiversitySection } from './diversity-section';
import type { NamedRow } from './figures-table';
import { GainsSection } from './gains-section';
import { OriginsSection } from './origins-section';
import { PairsSection } from './pairs-section';
import { BreakdownSection, StabilitySection } from './parts-section';
import { SettingsSection } from './settings-section';
import { ShapesSection } from './shapes-section';
import { SolveSection } from './solve-section';
import { TableSection } from './table-section';

/**
 * One tab of the comparison, below the warnings that hold for all of them. Memoised: a running study changes four times
 * a second, the comparison rarely.
 */
export const CompareView = memo(function CompareView(props: {
  readonly view: View;
  readonly compared: ComparedSelection;
  readonly comparison: RunComparison;
}) {
  const { comparison } = props;
  const { configurations, hues, cautions } = comparison;
  const rows = useMemo<readonly NamedRow[]>(
    () => configurations.map((name, at) => ({ name, color: configurationColor(hues[at] ?? 0) })),
    [configurations, hues],
  );
  return (
    <>
      <div className={styles.cautions}>
        <WarningList
          label="Warnings about this comparison"
          warnings={cautions.map((sentence) => ({ key: sentence, content: sentence }))}
        />
      </div>
      {props.view !== 'table' && comparison.analysis.sentences.includes(COMPLEMENT_SENTENCE) && (
        // Below the table it is among the conclusions.
        <p className={styles.caveat}>{COMPLEMENT_SHORT}.</p>
      )}
      <Part {...props} rows={rows} />
    </>
  );
});

function Part(props: {
  readonly view: View;
  readonly compared: ComparedSelection;
  readonly comparison: RunComparison;
  readonly rows: readonly NamedRow[];
}) {
  const { view, compared, comparison, rows } = props;
  const { analysis } = comparison;
  const { location } = useWorkbench();
  const open = useCallback(
    (configuration: string): void => {
      const at = comparison.configurations.indexOf(configuration);
      for (const { cells, problemId } of comparison.solves.problems) {
        const runRef = cells[at]?.runRef;
        if (runRef === undefined) continue;
        location.go(runRoute(runRef.studyId, runRef.runId, problemId));
        return;
      }
    },
    [comparison, location],
  );
  switch (view) {
    case 'table':
      return (
        <>
          <TableSection comparison={comparison} rows={rows} onOpen={open} />
          <Section title="What can be said">
            <ConclusionList
              label="What can be said"
              sentences={analysis.sentences}
              chips={analysis.chips}
              empty="No problems graded yet."
            />
          </Section>
          <div className={styles.tall}>
            <CurvesSection comparison={comparison} runs={compared.runs} />
          </div>
        </>
      );
    case 'pairs':
      return (
        <>
          <PairsSection comparison={comparison} rows={rows} />
          <BreakdownSection analysis={analysis} rows={rows} />
          <CutoffsSection splits={comparison.cutoffs} rows={rows} />
          <StabilitySection analysis={analysis} rows={rows} />
        </>
      );
    case 'problems':
      return (
        <>
          <SolveSection comparison={comparison} rows={rows} />
          <GainsSection gains={comparison.gains} rows={rows} />
        </>
      );
    case 'agents':
      return (
        <>
          <ContributionsSection contributions={comparison.contributions} rows={rows} />
          <ShapesSection shapes={comparison.shapes} rows={rows} />
        </>
      );
    case 'diversity':
      return (
        <>
          <CostsSection analysis={analysis} rows={rows} />
          <DiversitySection runs={compared.runs} comparison={comparison} rows={rows} onOpen={open} />
        </>
      );
    case 'settings':
      return (
        <>
          <SettingsSection differences={comparison.differences} rows={rows} />
          <OriginsSection studies={compared.studies} />
        </>
      );
    default:
      return assertNever(view);
  }
}
