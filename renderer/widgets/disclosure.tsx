import { IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './disclosure.module.css';

/** A collapsible section; `note` summarises its changed values. */
export function Disclosure(props: {
  readonly label: string;
  readonly note?: string;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}) {
  const { label, note, open, onToggle, children } = props;
  return (
    <div className={styles.disclosure}>
      <button type="button" className={styles.lid} aria-expanded={open} onClick={onToggle}>
        <IconChevronRight size={13} aria-hidden="true" data-open={open || undefined} />
        <span>{label}</span>
        {note !== undefined && note !== '' && <span className={styles.note}>{note}</span>}
      </button>
      {open && <div className={styles.disclosed}>{children}</div>}
    </div>
  );
}
