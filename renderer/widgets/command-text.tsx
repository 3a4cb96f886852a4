import styles from './command-text.module.css';
import { CopyTextButton } from './copy-text';

/** Lines for a shell, as they are typed; can be selected, and copied whole. */
export function CommandText(props: { readonly label: string; readonly text: string }) {
  return (
    <div className={styles.command}>
      <pre data-selectable>{props.text}</pre>
      <CopyTextButton label={`Copy ${props.label}`} read={() => props.text} />
    </div>
  );
}
