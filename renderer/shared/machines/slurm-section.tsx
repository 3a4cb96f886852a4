import { Autocomplete, TextInput } from '@mantine/core';
import { Fields, WideField } from '../../widgets/form';
import { Section } from '../../widgets/screen';
import type { SlurmFields } from './resource-fields';

/** Slurm fields of a form. `defaults`: shown as placeholders. */
export function SlurmSection(props: {
  readonly fields: SlurmFields;
  readonly defaults: SlurmFields;
  /** `note`: what is free now; empty if not known. */
  readonly partitions: readonly { readonly name: string; readonly note: string }[];
  readonly accounts: readonly string[];
  readonly hoursError: string | undefined;
  readonly onChange: (part: Partial<SlurmFields>) => void;
}) {
  const { fields, partitions, onChange } = props;
  const placeholder = (text: string): string => (text === '' ? "the cluster's default" : text);
  return (
    <Section title="Slurm">
      <Fields>
        <TextInput
          label="Wall time"
          placeholder={props.defaults.hours}
          inputMode="decimal"
          rightSection="h"
          error={props.hoursError}
          value={fields.hours}
          onChange={(event) => onChange({ hours: event.currentTarget.value })}
        />
        <Autocomplete
          size="xs"
          label="Partition"
          placeholder={placeholder(props.defaults.partition)}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          data={partitions.map(({ name }) => name)}
          renderOption={({ option }) => (
            <div>
              {option.value}
              <div style={{ color: 'var(--text-soft)', fontSize: 'var(--type-small)' }}>
                {partitions.find(({ name }) => name === option.value)?.note}
              </div>
            </div>
          )}
          value={fields.partition}
          onChange={(partition) => onChange({ partition })}
        />
        <Autocomplete
          size="xs"
          label="Account"
          placeholder={placeholder(props.defaults.account)}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          data={[...props.accounts]}
          value={fields.account}
          onChange={(account) => onChange({ account })}
        />
        <WideField mono>
          <TextInput
            label="Other sbatch options"
            placeholder={props.defaults.options === '' ? '--qos=long' : `behind ${props.defaults.options}`}
            autoComplete="off"
            spellCheck={false}
            value={fields.options}
            onChange={(event) => onChange({ options: event.currentTarget.value })}
          />
        </WideField>
      </Fields>
    </Section>
  );
}
