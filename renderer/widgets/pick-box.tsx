import styles from './pick-box.module.css';

/** The tick of a row in a long table: looks like any Checkbox, and takes a tenth of its time to draw. */
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
      // A row may open when it is pressed; its tick does not.
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.stopPropagation()}
    />
  );
}
