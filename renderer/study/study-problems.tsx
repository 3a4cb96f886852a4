import { Button } from '@mantine/core';
import { useEffect } from 'react';
import type { StudyOutcomes } from '../../preload/contract/outcomes';
import { wastedRequests } from '../../preload/contract/plans/index';
import type { StudyView } from '../../preload/contract/study';
import { configurationsOf, damagedRuns, useHues, useWorkbench } from '../state/index';
import { actionsOf, isActive, repairDialogText, stoppedText, studyWarnings } from '../text/studies';
import { configurationColor } from '../theme/index';
import { ErrorNote, plural, usePress, WarningList } from '../widgets/index';
import styles from './study.module.css';

/** Damaged journals shown in full; the rest are counted, as their messages are alike. */
const MAX_DAMAGED = 3;

/** A folder that is away is looked for so often: who puts it back sees it come. */
const LOOK_AGAIN_MS = 5_000;

/** The failure, damaged journals, and warnings. */
export function StudyProblems(props: { readonly view: StudyView; readonly outcomes: StudyOutcomes | null }) {
  const { view, outcomes } = props;
  const { study, state } = view;
  const { studyCommands, studies } = useWorkbench();
  const isMissing = state.kind === 'missing';
  useEffect(() => {
    if (!isMissing) return;
    const timer = setInterval(() => void studies.load(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isMissing, studies]);
  const failure = stoppedText(view);
  const damaged = damagedRuns(study, outcomes);
  return (
    <>
      {failure !== null && <ErrorNote message={failure.message} hint={failure.hint} />}
      {damaged.slice(0, MAX_DAMAGED).map(({ run, label, damage }, at) => (
        <ErrorNote
          key={run.id}
          message={`${label}: ${damage.message}`}
          // The hint is usually the same for all: show it once.
          hint={at > 0 && damage.hint === damaged[0]?.damage.hint ? undefined : damage.hint}
          remedy={
            damage.repairable && !isActive(state)
              ? { ...repairDialogText(label), run: () => studyCommands.repair(run.id, label) }
              : undefined
          }
        />
      ))}
      {damaged.length > MAX_DAMAGED && (
        <p className={styles.moreProblems}>
          and {plural(damaged.length - MAX_DAMAGED, 'more damaged journal')}, marked below
        </p>
      )}
      <Warnings view={view} outcomes={outcomes} />
    </>
  );
}

function Warnings(props: { readonly view: StudyView; readonly outcomes: StudyOutcomes | null }) {
  const { view, outcomes } = props;
  const configurations = configurationsOf(view.study);
  const hues = useHues(configurations);
  const shown = studyWarnings(view, outcomes);
  const canPause =
    actionsOf(view.state).includes('pause') && shown.some((warning) => wastedRequests(warning) !== null);
  const warnings = shown.map(({ configuration, text }) => ({
    key: `${configuration} ${text}`,
    content: (
      <>
        {configuration !== null && (
          <b className={styles.whose}>
            <i style={{ background: configurationColor(hues[configurations.indexOf(configuration)] ?? 0) }} />
            {configuration}
          </b>
        )}{' '}
        {text}
      </>
    ),
  }));
  return (
    <div className={styles.warnings}>
      <WarningList
        label="Warnings"
        warnings={warnings}
        action={canPause && <PauseNow studyId={view.study.id} />}
      />
    </div>
  );
}

/** Beside warnings of answers that are lost: nothing is won by asking for more of them. */
function PauseNow({ studyId }: { readonly studyId: string }) {
  const { studyCommands } = useWorkbench();
  const { busy, press } = usePress(() => studyCommands.pause(studyId));
  return (
    <Button variant="default" size="compact-xs" loading={busy} onClick={press}>
      Pause the study
    </Button>
  );
}
