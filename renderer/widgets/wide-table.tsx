import type { ReactNode } from 'react';
import styles from './wide-table.module.css';

/** Around a table of many columns. */
export function WideTable(props: { readonly children: ReactNode }) {
  return <div className={styles.wide}>{props.children}</div>;
}
