import { Modal } from '@mantine/core';
import { useRoute } from '../state/index';
import { GLOBAL_KEYS, type KeyLine, keysOf } from './screen-keys';
import styles from './shell.module.css';

export function KeysOverlay(props: { readonly opened: boolean; readonly onClose: () => void }) {
  const own = keysOf(useRoute().kind);
  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Keyboard shortcuts" size="md">
      <table className={styles.keys}>
        {own.length > 0 && <KeyLines title="On this screen" lines={own} />}
        <KeyLines title="Everywhere" lines={GLOBAL_KEYS} />
      </table>
    </Modal>
  );
}

function KeyLines(props: { readonly title: string; readonly lines: readonly KeyLine[] }) {
  return (
    <tbody>
      <tr>
        <th colSpan={2}>{props.title}</th>
      </tr>
      {props.lines.map(({ keys, does }) => (
        <tr key={does}>
          <td>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </td>
          <td>{does}</td>
        </tr>
      ))}
    </tbody>
  );
}
