import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** A list of names and values. */
export function Facts(props: { readonly label: string; readonly children: ReactNode }) {
  return (
    <dl className={styles.facts} aria-label={props.label}>
      {props.children}
    </dl>
  );
}

/** `mono`: monospaced value; `block`: value below the name. */
export function Fact(props: {
  readonly name: string;
  readonly mono?: boolean;
  readonly block?: boolean;
  readonly title?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <div data-block={props.block || undefined}>
      <dt>{props.name}</dt>
      <dd data-mono={props.mono || undefined} title={props.title}>
        {props.children}
      </dd>
    </div>
  );
}
