import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import styles from './warning-list.module.css';

/** In sight before the rest is asked for. */
const MOST = 3;

/** What to know before one believes the numbers below it. Nothing where there is nothing to say. */
export function WarningList(props: {
  readonly label: string;
  readonly warnings: readonly { readonly key: string; readonly content: ReactNode }[];
  /** What can be done about them now, e.g. a button. */
  readonly action?: ReactNode;
}) {
  const { label, warnings, action } = props;
  const [all, setAll] = useState(false);
  if (warnings.length === 0) return null;
  return (
    <div className={styles.warnings} role="note">
      <IconAlertTriangle size={14} aria-hidden="true" />
      <ul aria-label={label}>
        {(all ? warnings : warnings.slice(0, MOST)).map(({ key, content }) => (
          <li key={key}>{content}</li>
        ))}
      </ul>
      {action}
      {warnings.length > MOST && (
        <Button
          variant="subtle"
          size="compact-xs"
          aria-expanded={all}
          className={styles.more}
          onClick={() => setAll(!all)}
        >
          {all ? 'Show fewer' : `Show all ${warnings.length}`}
        </Button>
      )}
    </div>
  );
}
