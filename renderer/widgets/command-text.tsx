import styles from './command-text.module.css';
import { CopyTextButton } from './copy-text';

/** Shell commands that can be selected and copied. */
export function CommandText(props: { readonly label: string; readonly text: string }) {
  return (
    <div className={styles.command}>
      <pre data-selectable>{props.text}</pre>
      <CopyTextButton label={`Copy ${props.label}`} read={() => props.text} />
    </div>
  );
}
