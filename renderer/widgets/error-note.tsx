import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from './confirm-dialog';
import styles from './error-note.module.css';
import { Hint } from './states';
import { usePress } from './use-press';

export type Remedy = {
  readonly label: string;
  readonly title: string;
  /** What it will do. */
  readonly about: ReactNode;
  readonly cancel: string;
  readonly run: () => Promise<void>;
};

/** An error with a button that fixes it, after confirmation. */
export function ErrorNote(props: {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly remedy?: Remedy | undefined;
}) {
  const { message, hint, remedy } = props;
  return (
    <div className={styles.note} role="alert">
      <IconAlertTriangle size={14} aria-hidden="true" />
      <div>
        <span data-selectable>{message}</span>
        {hint !== undefined && <Hint text={hint} />}
      </div>
      {remedy !== undefined && <RemedyButton remedy={remedy} />}
    </div>
  );
}

function RemedyButton(props: { readonly remedy: Remedy }) {
  const { label, title, about, cancel: keep, run } = props.remedy;
  const [asking, setAsking] = useState(false);
  const { busy, press } = usePress(run);
  return (
    <>
      <Button variant="default" size="compact-sm" loading={busy} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={title}
        confirm={label}
        cancel={keep}
        isHarmless
        onConfirm={press}
        onClose={() => setAsking(false)}
      >
        {about}
      </ConfirmDialog>
    </>
  );
}
