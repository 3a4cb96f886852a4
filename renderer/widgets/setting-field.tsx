import { Autocomplete, TextInput } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { memo } from 'react';
import { Fields } from './form';
import { Select } from './select';
import styles from './setting-field.module.css';
import { useStableCallback } from './use-stable';

type Choice = { readonly value: string; readonly label: string };

/** Messages below the input keep the inputs of a row aligned. */
const MESSAGES_BELOW: ('label' | 'input' | 'error' | 'description')[] = [
  'label',
  'input',
  'error',
  'description',
];

/**
 * A setting with its help below: typed, or chosen where there are `choices`. One that is not as `defaultValue` is stressed and
 * has a button that brings the defaultValue one back.
 */
export function SettingField(props: {
  readonly label: string;
  readonly help?: string;
  readonly unit?: string | undefined;
  readonly choices?: readonly Choice[] | undefined;
  readonly value: string;
  /** Left out: nothing is defaultValue. */
  readonly defaultValue?: string;
  /** What stands in the empty field. */
  readonly placeholder?: string | undefined;
  readonly mono?: boolean;
  readonly isDisabled?: boolean;
  /** What the typed text may become; left out: it is not completed. */
  readonly completions?: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
}) {
  const { label, help, unit, choices, value, defaultValue, placeholder, error, onChange } = props;
  const shared = {
    label: (
      <SettingLabel
        label={label}
        value={value}
        defaultValue={defaultValue}
        choices={choices}
        onReset={onChange}
      />
    ),
    'aria-label': label,
    inputWrapperOrder: MESSAGES_BELOW,
    description: help === '' ? undefined : help,
    error,
  };
  if (choices !== undefined) {
    return (
      <Select
        {...shared}
        allowDeselect={false}
        comboboxProps={{ transitionProps: { duration: 0 } }}
        value={value}
        placeholder={placeholder}
        data={[...choices]}
        onChange={(next) => next !== null && onChange(next)}
      />
    );
  }
  const typed = {
    ...shared,
    ...(props.mono === true ? { className: styles.mono } : {}),
    disabled: props.isDisabled === true,
    autoComplete: 'off',
    spellCheck: false,
    placeholder,
    value,
  };
  if (props.completions !== undefined) {
    return (
      <Autocomplete
        {...typed}
        comboboxProps={{ transitionProps: { duration: 0 } }}
        data={[...props.completions]}
        onChange={onChange}
      />
    );
  }
  return (
    <TextInput
      {...typed}
      {...(unit === undefined ? {} : { rightSection: unit, rightSectionWidth: 14 + unit.length * 6 })}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function SettingLabel(props: {
  readonly label: string;
  readonly value: string;
  readonly defaultValue: string | undefined;
  readonly choices: readonly Choice[] | undefined;
  readonly onReset: (text: string) => void;
}) {
  const { label, value, defaultValue, choices, onReset } = props;
  if (defaultValue === undefined || defaultValue === value.trim()) return label;
  const text = choices?.find((choice) => choice.value === defaultValue)?.label ?? defaultValue;
  const to = text === '' ? 'empty' : text;
  return (
    <span className={styles.label}>
      <span className={styles.changed}>{label}</span>
      <button
        type="button"
        className={styles.reset}
        title={`Reset to ${to}`}
        aria-label={`Reset ${label} to ${to}`}
        onClick={() => onReset(defaultValue)}
      >
        <IconArrowBackUp size={13} aria-hidden="true" />
      </button>
    </span>
  );
}

/** What a field of a grid is; what stands in it is the form's. */
export type Setting = {
  readonly id: string;
  readonly label: string;
  readonly help: string;
  readonly unit?: string;
  readonly choices?: readonly Choice[];
  readonly placeholder?: string;
  readonly mono?: boolean;
  /** Another name of it, on hover. */
  readonly title?: string;
};

/** Settings side by side. A form has many: only those are drawn again in which something has changed. */
export function SettingsGrid(props: {
  readonly settings: readonly Setting[];
  readonly textOf: (id: string) => string;
  readonly defaultOf: (id: string) => string | undefined;
  readonly errorAt: (id: string) => string | undefined;
  readonly onChange: (id: string, text: string) => void;
}) {
  const { settings, textOf, defaultOf, errorAt } = props;
  const onChange = useStableCallback(props.onChange);
  return (
    <Fields>
      {settings.map((setting) => (
        <SettingItem
          key={setting.id}
          setting={setting}
          value={textOf(setting.id)}
          defaultValue={defaultOf(setting.id)}
          error={errorAt(setting.id)}
          onChange={onChange}
        />
      ))}
    </Fields>
  );
}

const SettingItem = memo(function SettingItem(props: {
  readonly setting: Setting;
  readonly value: string;
  readonly defaultValue: string | undefined;
  readonly error: string | undefined;
  readonly onChange: (id: string, text: string) => void;
}) {
  const { setting, value, defaultValue, error, onChange } = props;
  const { id, label, help, unit, choices, placeholder, mono = false, title } = setting;
  return (
    <div title={title}>
      <SettingField
        label={label}
        help={help}
        unit={unit}
        choices={choices}
        placeholder={placeholder}
        mono={mono}
        value={value}
        {...(defaultValue === undefined ? {} : { defaultValue })}
        error={error}
        onChange={(text) => onChange(id, text)}
      />
    </div>
  );
});
