import type { ReactNode } from 'react';
import styles from './sidebar-layout.module.css';

/** What is looked at, which takes the room, and a column beside it that scrolls by itself. */
export function SidebarLayout(props: {
  readonly label: string;
  readonly sidebar: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles.columns}>
      <div className={styles.main}>{props.children}</div>
      <aside className={styles.aside} aria-label={props.label}>
        {props.sidebar}
      </aside>
    </div>
  );
}
