import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** Names and values, a line each: what a thing is. */
export function Facts(props: { readonly label: string; readonly children: ReactNode }) {
  return (
    <dl className={styles.facts} aria-label={props.label}>
      {props.children}
    </dl>
  );
}

/** `mono`: a value that is read letter by letter; `block`: its own lines below the name. */
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
