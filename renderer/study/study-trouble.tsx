import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { StudyOutcomes } from '../../preload/contract/outcomes';
import type { StudyView } from '../../preload/contract/study';
import {
  configurationsOf,
  damagedRuns,
  isActive,
  repairWords,
  toldWarnings,
  useHues,
  useWorkbench,
} from '../state/index';
import { configurationColor } from '../theme/index';
import { plural, TroubleNote } from '../widgets/index';
import styles from './study.module.css';

/** Damaged journals in sight before the rest becomes a number: each says much the same. */
const MOST_DAMAGED = 3;
const MOST_WARNINGS = 3;

/** What went wrong, what is damaged, and the early warnings. */
export function StudyTrouble(props: { readonly view: StudyView; readonly outcomes: StudyOutcomes | null }) {
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
      {damaged.slice(0, MOST_DAMAGED).map(({ run, label, trouble }, at) => (
        <TroubleNote
          key={run.id}
          message={`${label}: ${trouble.message}`}
          // What to do is mostly the same for all: once is enough.
          hint={at > 0 && trouble.hint === damaged[0]?.trouble.hint ? undefined : trouble.hint}
          remedy={
            trouble.repairable && !isActive(state)
              ? { ...repairWords(label), run: () => studyCommands.repair(run.id, label) }
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
  const [all, setAll] = useState(false);
  const warnings = toldWarnings(view, outcomes);
  const configurations = configurationsOf(view.study);
  const hues = useHues(configurations);
  if (warnings.length === 0) return null;
  const shown = all ? warnings : warnings.slice(0, MOST_WARNINGS);
  return (
    <div className={styles.warnings}>
      <IconAlertTriangle size={13} aria-hidden="true" />
      <ul aria-label="Warnings">
        {shown.map(({ configuration, text }) => (
          <li key={`${configuration} ${text}`}>
            {configuration !== null && (
              <b>
                <i
                  style={{ background: configurationColor(hues[configurations.indexOf(configuration)] ?? 0) }}
                />
                {configuration}
              </b>
            )}{' '}
            {text}
          </li>
        ))}
      </ul>
      {warnings.length > MOST_WARNINGS && (
        <Button
          variant="subtle"
          size="compact-xs"
          aria-expanded={all}
          className={styles.moreWarnings}
          onClick={() => setAll(!all)}
        >
          {all ? 'Show fewer' : `Show all ${warnings.length} warnings`}
        </Button>
      )}
    </div>
  );
}
