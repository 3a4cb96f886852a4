import { Select } from '@mantine/core';
import { addressOf, readyValue, useAnalysis, useStudies, useWorkbench } from '../state/index';
import { EmptyState, FailedState, LoadingState, ScaleTag, Screen, Section } from '../widgets/index';
import { ComparisonTable } from './comparison';
import { StudyCurves } from './curves';
import { PairTable, Sentences } from './sentences';
import styles from './study.module.css';
import { ExportMenu } from './study-header';
import { studyLabels } from './study-labels';

/** Table, curves and differences of one study, to read rather than to watch. Without a choice: the newest. */
export function CompareScreen(props: { readonly studyId: string | null }) {
  const studies = useStudies();
  const { location, studies: store } = useWorkbench();
  const all = readyValue(studies) ?? [];
  const chosen =
    props.studyId === null
      ? (all.find(({ progress }) => progress.gradedDone > 0) ?? all[0])
      : all.find(({ study }) => study.id === props.studyId);
  const analysis = useAnalysis(chosen?.study.id ?? null);
  if (studies.kind === 'loading') return <LoadingState what="Reading the studies" />;
  if (studies.kind === 'failed') {
    return (
      <Screen title="Compare">
        <FailedState
          title="The studies could not be read"
          message={studies.error.message}
          hint={studies.error.hint}
          action={{ label: 'Read again', run: () => void store.load() }}
        />
      </Screen>
    );
  }
  if (chosen === undefined) {
    return (
      <Screen title="Compare">
        <EmptyState
          title={props.studyId === null ? 'Nothing to compare yet' : 'There is no such study'}
          action={<a href="#/">Go to Home</a>}
        >
          A study with at least two configurations fills this screen with its table, curves and differences.
        </EmptyState>
      </Screen>
    );
  }
  const { study } = chosen;
  const labels = studyLabels(all.map((view) => view.study));
  const known = readyValue(analysis);
  return (
    <Screen
      title="Compare"
      aside={
        <>
          <Select
            aria-label="Study"
            w={260}
            value={study.id}
            allowDeselect={false}
            data={all.map((view, at) => ({ value: view.study.id, label: labels[at] ?? view.study.name }))}
            onChange={(studyId) => location.go({ kind: 'compare', studyId })}
          />
          <ScaleTag scale={study.scale} />
          <a href={`#${addressOf({ kind: 'study', studyId: study.id })}`}>Open study</a>
        </>
      }
      actions={<ExportMenu studyId={study.id} />}
    >
      <Section title="Configurations">
        <ComparisonTable study={study} analysis={analysis} />
      </Section>
      <div className={styles.compared} hidden={analysis.kind === 'failed'}>
        <div className={styles.tall}>
          <StudyCurves study={study} analysis={known} />
        </div>
        <div>
          <Section title="What can be said">
            <Sentences analysis={known} />
          </Section>
        </div>
      </div>
      {known !== null && known.pairs.length > 0 && (
        <Section title="Differences">
          <PairTable study={study} analysis={known} />
        </Section>
      )}
    </Screen>
  );
}
