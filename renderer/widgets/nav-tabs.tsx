import { count } from './format';
import styles from './nav-tabs.module.css';

export type NavTab = {
  readonly id: string;
  readonly label: string;
  /** A link within the page, e.g. "#/servers". */
  readonly href: string;
  /** How many there are; 0 is not shown. */
  readonly number: number;
  /** After the number, e.g. "up". */
  readonly unit?: string;
};

/** Tabs between lists with their own routes. */
export function NavTabs(props: {
  readonly label: string;
  readonly current: string;
  readonly tabs: readonly NavTab[];
}) {
  return (
    <nav className={styles.tabs} aria-label={props.label}>
      {props.tabs.map(({ id, label, href, number, unit }) => (
        <a key={id} href={href} aria-current={id === props.current ? 'page' : undefined}>
          {label}{' '}
          {number > 0 && <small>{unit === undefined ? count(number) : `${count(number)} ${unit}`}</small>}
        </a>
      ))}
    </nav>
  );
}
