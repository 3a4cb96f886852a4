import { Checkbox } from '@mantine/core';
import styles from './check-list.module.css';

/** Things to tick one by one, or all at once at their label. Nothing where there is nothing to tick. */
export function CheckList(props: {
  readonly label: string;
  readonly items: readonly { readonly id: string; readonly label: string }[];
  readonly ticked: readonly string[];
  /** With the ids that are ticked then, in the order of the items. */
  readonly onTick: (ids: readonly string[]) => void;
}) {
  const { label, items, ticked, onTick } = props;
  const own = items.filter(({ id }) => ticked.includes(id));
  if (items.length === 0) return null;
  return (
    <fieldset className={styles.list}>
      <legend>
        <Checkbox
          label={label}
          checked={own.length === items.length}
          indeterminate={own.length > 0 && own.length < items.length}
          onChange={(event) => onTick(event.currentTarget.checked ? items.map(({ id }) => id) : [])}
        />
      </legend>
      {items.map(({ id, label: name }) => (
        <Checkbox
          key={id}
          size="xs"
          label={name}
          checked={ticked.includes(id)}
          onChange={(event) => {
            const isTicked = event.currentTarget.checked;
            onTick(
              items.flatMap((item) => ((item.id === id ? isTicked : own.includes(item)) ? item.id : [])),
            );
          }}
        />
      ))}
    </fieldset>
  );
}
