import { Autocomplete, TextInput } from '@mantine/core';
import { Fields, WideField } from './form';
import type { SlurmWish } from './resource-wish';
import { Section } from './screen';

/** What something asks of Slurm. `usual`: what stands where nothing is typed. */
export function SlurmSection(props: {
  readonly wish: SlurmWish;
  readonly usual: SlurmWish;
  /** With what is free in it now; empty where that is not known. */
  readonly partitions: readonly { readonly name: string; readonly note: string }[];
  readonly accounts: readonly string[];
  readonly hoursFault: string | undefined;
  readonly onChange: (part: Partial<SlurmWish>) => void;
}) {
  const { wish, partitions, onChange } = props;
  const usual = (text: string): string => (text === '' ? "the cluster's choice" : text);
  return (
    <Section title="Slurm">
      <Fields>
        <TextInput
          label="Wall time"
          placeholder={props.usual.hours}
          inputMode="decimal"
          rightSection="h"
          error={props.hoursFault}
          value={wish.hours}
          onChange={(event) => onChange({ hours: event.currentTarget.value })}
        />
        <Autocomplete
          size="xs"
          label="Partition"
          placeholder={usual(props.usual.partition)}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          data={partitions.map(({ name }) => name)}
          renderOption={({ option }) => (
            <div>
              {option.value}
              <div style={{ color: 'var(--text-soft)', fontSize: 11 }}>
                {partitions.find(({ name }) => name === option.value)?.note}
              </div>
            </div>
          )}
          value={wish.partition}
          onChange={(partition) => onChange({ partition })}
        />
        <Autocomplete
          size="xs"
          label="Account"
          placeholder={usual(props.usual.account)}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          data={[...props.accounts]}
          value={wish.account}
          onChange={(account) => onChange({ account })}
        />
        <WideField mono>
          <TextInput
            label="Further options of sbatch"
            placeholder={props.usual.options === '' ? '--qos=long' : `behind ${props.usual.options}`}
            autoComplete="off"
            spellCheck={false}
            value={wish.options}
            onChange={(event) => onChange({ options: event.currentTarget.value })}
          />
        </WideField>
      </Fields>
    </Section>
  );
}
