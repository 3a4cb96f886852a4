import styles from './command-text.module.css';
import { CopyTextButton } from './copy-text';
import { Unbroken } from './unbroken';

/** Shell commands that can be selected and copied; null: not known yet, and why. */
export function CommandText(props: {
  readonly label: string;
  readonly text: string | null;
  readonly unknown?: string;
}) {
  const { text } = props;
  if (text === null) return <p className={styles.unknown}>{props.unknown}</p>;
  return (
    <div className={styles.command}>
      <pre data-selectable>
        <Unbroken text={text} />
      </pre>
      <CopyTextButton label={`Copy ${props.label}`} read={() => text} />
    </div>
  );
}
