import type { ReactNode } from 'react';
import styles from './settings.module.css';

/** One setting: what it is about, and where it stands. */
export function SettingEntry(props: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={styles.entry}>
      <dt>{props.label}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}
