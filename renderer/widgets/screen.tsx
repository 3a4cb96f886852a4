import type { ReactNode } from 'react';
import styles from './screen.module.css';

/** The frame of a screen: what it is, what can be done here, and a body that scrolls or fills. */
export function Screen(props: {
  readonly title: ReactNode;
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
  readonly below?: ReactNode;
  /** The body is as high as the window leaves and its parts scroll; else the body itself scrolls. */
  readonly fill?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <div className={styles.line}>
          <h1>{props.title}</h1>
          {props.aside !== undefined && <div className={styles.aside}>{props.aside}</div>}
          {props.actions !== undefined && <div className={styles.actions}>{props.actions}</div>}
        </div>
        {props.below}
      </header>
      <div className={props.fill === true ? styles.fill : styles.body}>{props.children}</div>
    </div>
  );
}

/** A part of a screen under a small heading. */
export function Section(props: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly fill?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <section className={props.fill === true ? styles.filledSection : styles.section} aria-label={props.title}>
      <div className={styles.sectionHead}>
        <h2>{props.title}</h2>
        {props.aside}
      </div>
      {props.children}
    </section>
  );
}
