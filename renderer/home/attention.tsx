import { Button } from '@mantine/core';
import { useState } from 'react';
import { ScaleTag } from '../shared/studies/index';
import { ConfirmDialog, Section, StateMark, usePress } from '../widgets/index';
import styles from './home.module.css';
import type { Trouble } from './use-troubles';

/** More would push the news out of sight. */
const SHOWN = 4;

/** The list of them, the first few at once; nothing where there are none. */
export function Attention({ troubles }: { readonly troubles: readonly Trouble[] }) {
  const [isWhole, setWhole] = useState(false);
  if (troubles.length === 0) return null;
  const shown = isWhole || troubles.length <= SHOWN + 1 ? troubles : troubles.slice(0, SHOWN);
  return (
    <Section title="Needs attention">
      <ul className={styles.troubles}>
        {shown.map((trouble) => (
          <TroubleLine key={trouble.key} trouble={trouble} />
        ))}
      </ul>
      {shown.length < troubles.length && (
        <Button variant="subtle" px={0} mt={4} onClick={() => setWhole(true)}>
          Show {troubles.length - shown.length} more
        </Button>
      )}
    </Section>
  );
}

/** Two lines of why; all of it is on its own screen. */
function TroubleLine({ trouble }: { readonly trouble: Trouble }) {
  const { path, name, scale, status, message, hint, press } = trouble;
  const why = [message, hint].filter(Boolean).join(' ');
  return (
    <li>
      <div>
        <p className={styles.troubled}>
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

function PressButton(props: { readonly name: string; readonly press: NonNullable<Trouble['press']> }) {
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
          calm
          onConfirm={press}
          onClose={() => setAsking(false)}
        >
          {confirm}
        </ConfirmDialog>
      )}
    </>
  );
}
