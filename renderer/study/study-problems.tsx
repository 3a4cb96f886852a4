import type { StudyOutcomes } from '../../preload/contract/outcomes';
import type { StudyView } from '../../preload/contract/study';
import {
  configurationsOf,
  damagedRuns,
  isActive,
  repairDialogText,
  studyWarnings,
  useHues,
  useWorkbench,
} from '../state/index';
import { configurationColor } from '../theme/index';
import { plural, TroubleNote, WarningList } from '../widgets/index';
import styles from './study.module.css';

/** Damaged journals in sight before the rest becomes a number: each says much the same. */
const MOST_DAMAGED = 3;

/** What went wrong, what is damaged, and the early warnings. */
export function StudyProblems(props: { readonly view: StudyView; readonly outcomes: StudyOutcomes | null }) {
  const { view, outcomes } = props;
  const { study, state } = view;
  const { studyCommands } = useWorkbench();
  const failure =
    state.kind === 'failed'
      ? { message: state.message, hint: state.hint }
      : state.kind === 'interrupted'
        ? {
            message: 'The workbench ended while this study ran. Resume goes on from what was written.',
            hint: undefined,
          }
        : null;
  const damaged = damagedRuns(study, outcomes);
  return (
    <>
      {failure !== null && <TroubleNote {...failure} />}
      {damaged.slice(0, MOST_DAMAGED).map(({ run, label, damage: trouble }, at) => (
        <TroubleNote
          key={run.id}
          message={`${label}: ${trouble.message}`}
          // What to do is mostly the same for all: once is enough.
          hint={at > 0 && trouble.hint === damaged[0]?.damage.hint ? undefined : trouble.hint}
          remedy={
            trouble.repairable && !isActive(state)
              ? { ...repairDialogText(label), run: () => studyCommands.repair(run.id, label) }
              : undefined
          }
        />
      ))}
      {damaged.length > MOST_DAMAGED && (
        <p className={styles.moreTrouble}>
          and {plural(damaged.length - MOST_DAMAGED, 'more damaged journal')}, marked below
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
  const warnings = studyWarnings(view, outcomes).map(({ configuration, text }) => ({
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
      <WarningList label="Warnings" warnings={warnings} />
    </div>
  );
}
