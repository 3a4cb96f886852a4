import type { ReactNode } from 'react';
import styles from './settings.module.css';

export function SettingEntry(props: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={styles.entry}>
      <dt>{props.label}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}
