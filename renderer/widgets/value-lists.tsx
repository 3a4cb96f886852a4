import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Fields } from './form';
import { Select } from './select';
import { SettingField } from './setting-field';
import type { ValueList } from './typed-values';
import styles from './value-lists.module.css';

/** Settings that vary, each with a list of values, and the choice of another one. `children`: fields beside that choice. */
export function ValueLists(props: {
  readonly settings: readonly {
    readonly id: string;
    readonly label: string;
    /** null: any number or text that it takes. */
    readonly choices: readonly string[] | null;
  }[];
  readonly lists: readonly ValueList[];
  readonly errorAt: (id: string) => string | undefined;
  readonly onChange: (lists: readonly ValueList[]) => void;
  readonly children?: ReactNode;
}) {
  const { settings, lists, errorAt, onChange, children } = props;
  const others = settings.filter(({ id }) => !lists.some((list) => list.id === id));
  return (
    <>
      <div className={styles.lists}>
        {lists.map(({ id, values }) => {
          const setting = settings.find((known) => known.id === id);
          const label = setting?.label ?? id;
          const choices = setting?.choices ?? null;
          return (
            <div key={id} className={styles.list}>
              <SettingField
                label={`Values of: ${label}`}
                // Words are typed as they are in the terminal.
                help={`With commas between${choices === null ? '.' : `: ${choices.join(', ')}`}`}
                value={values}
                error={errorAt(id)}
                onChange={(text) =>
                  onChange(lists.map((list) => (list.id === id ? { id, values: text } : list)))
                }
              />
              <ActionIcon
                aria-label={`Do not vary: ${label}`}
                onClick={() => onChange(lists.filter((list) => list.id !== id))}
              >
                <IconX size={13} aria-hidden="true" />
              </ActionIcon>
            </div>
          );
        })}
      </div>
      <Fields>
        <Select
          label="Vary a setting"
          searchable
          placeholder="Choose"
          comboboxProps={{ transitionProps: { duration: 0 } }}
          value={null}
          data={others.map(({ id, label }) => ({ value: id, label }))}
          onChange={(id) => id !== null && onChange([...lists, { id, values: '' }])}
        />
        {children}
      </Fields>
    </>
  );
}
