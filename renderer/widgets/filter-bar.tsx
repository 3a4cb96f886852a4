import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './filter-bar.module.css';
import { count } from './format';
import { Select } from './select';
import { EmptyState } from './states';

/** The filters of a list in one wrapping row: groups, selects, then text. */
export function FilterBar(props: { readonly children: ReactNode }) {
  return <div className={styles.bar}>{props.children}</div>;
}

/** The states of a list's rows side by side, each with its number of rows. */
export function FilterGroups<Group extends string>(props: {
  readonly value: Group;
  readonly groups: readonly Group[];
  readonly labels: Readonly<Record<Group, string>>;
  readonly counts: Readonly<Record<Group, number>>;
  readonly onChange: (group: Group) => void;
}) {
  const { value, groups, labels, counts, onChange } = props;
  return (
    <SegmentedControl
      aria-label="State"
      value={value}
      onChange={onChange}
      data={groups.map((group) => ({ value: group, label: `${labels[group]} ${count(counts[group])}` }))}
    />
  );
}

/** A filter with many options. `label`: for screen readers; `width`: pixels; the first option means all rows. */
export function FilterSelect<Value extends string>(props: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly width: number;
  readonly onChange: (value: Value) => void;
}) {
  const { label, value, options, onChange, width } = props;
  return (
    <Select
      aria-label={label}
      w={width}
      allowDeselect={false}
      comboboxProps={{ transitionProps: { duration: 0 } }}
      value={value}
      data={options.map((option) => ({ value: option.value, label: option.label }))}
      onChange={(chosen) => {
        const current = options.find((option) => option.value === chosen);
        if (current !== undefined) onChange(current.value);
      }}
    />
  );
}

/** Words that a row must contain; `where` names the columns that are searched. */
export function FilterText(props: {
  readonly where: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <TextInput
      aria-label="Filter by words"
      placeholder={props.where}
      w={230}
      autoComplete="off"
      spellCheck={false}
      leftSection={<IconSearch size={13} aria-hidden="true" />}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}

/** The filtered list; if empty, a button that clears the filters (`nouns`: plural). */
export function FilteredRows(props: {
  readonly shown: number;
  readonly total: number;
  readonly nouns: string;
  readonly onShowAll: () => void;
  readonly children: ReactNode;
}) {
  if (props.shown > 0) return <div className={styles.rows}>{props.children}</div>;
  return (
    <div className={styles.none}>
      <EmptyState
        title={`None of the ${count(props.total)} ${props.nouns} match the filters`}
        action={
          <Button variant="default" onClick={props.onShowAll}>
            Clear filters
          </Button>
        }
      />
    </div>
  );
}
