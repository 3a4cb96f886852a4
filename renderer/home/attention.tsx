import { Button } from '@mantine/core';
import { useState } from 'react';
import { ScaleTag } from '../shared/studies/index';
import { ConfirmDialog, Section, StateMark, usePress } from '../widgets/index';
import styles from './home.module.css';
import type { OpenProblem } from './use-open-problems';

/** More would push the news out of sight. */
const SHOWN = 4;

/** The list of them, the first few at once; nothing where there are none. */
export function Attention({ problems }: { readonly problems: readonly OpenProblem[] }) {
  const [isWhole, setWhole] = useState(false);
  if (problems.length === 0) return null;
  const shown = isWhole || problems.length <= SHOWN + 1 ? problems : problems.slice(0, SHOWN);
  return (
    <Section title="Needs attention">
      <ul className={styles.problems}>
        {shown.map((problem) => (
          <ProblemLine key={problem.key} problem={problem} />
        ))}
      </ul>
      {shown.length < problems.length && (
        <Button variant="subtle" px={0} mt={4} onClick={() => setWhole(true)}>
          Show {problems.length - shown.length} more
        </Button>
      )}
    </Section>
  );
}

/** Two lines of why; all of it is on its own screen. */
function ProblemLine({ problem }: { readonly problem: OpenProblem }) {
  const { path, name, scale, status, message, hint, press } = problem;
  const why = [message, hint].filter(Boolean).join(' ');
  return (
    <li>
      <div>
        <p className={styles.problem}>
          <a href={`#${path}`}>{name}</a>
          {scale !== undefined && <ScaleTag scale={scale} />}
          <StateMark {...status} />
        </p>
        <p className={styles.why} title={why} data-selectable>
          {why}
        </p>
      </div>
      {press !== undefined && <PressButton name={name} press={press} />}
    </li>
  );
}

function PressButton(props: { readonly name: string; readonly press: NonNullable<OpenProblem['press']> }) {
  const { name } = props;
  const { label, run, confirm } = props.press;
  const { busy, press } = usePress(async () => run());
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        variant="default"
        loading={busy}
        aria-label={`${label}: ${name}`}
        onClick={confirm === undefined ? press : () => setAsking(true)}
      >
        {label}
      </Button>
      {confirm !== undefined && (
        <ConfirmDialog
          opened={asking}
          title={`${label} ${name}?`}
          confirm={label}
          cancel="Cancel"
          isHarmless
          onConfirm={press}
          onClose={() => setAsking(false)}
        >
          {confirm}
        </ConfirmDialog>
      )}
    </>
  );
}
