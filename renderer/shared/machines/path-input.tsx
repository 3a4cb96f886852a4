import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import type { ComponentProps } from 'react';
import { usePathCompletions } from '../../state/index';
import { SettingField } from '../../widgets/index';

/** A field for a path on a machine, completed from what is there; what else it takes is typed as in any other. */
export function PathInput(
  props: Omit<AutocompleteProps, 'data' | 'value' | 'onChange'> & {
    /** null: none is chosen. */
    readonly machineId: string | null;
    readonly value: string;
    readonly onChange: (path: string) => void;
    /** Offered beside the paths. */
    readonly others?: readonly string[];
  },
) {
  const { machineId, others = [], ...field } = props;
  const completions = usePathCompletions(machineId, field.value);
  return (
    <Autocomplete
      autoComplete="off"
      spellCheck={false}
      comboboxProps={{ transitionProps: { duration: 0 } }}
      maxDropdownHeight={220}
      {...field}
      data={[...new Set([...completions, ...others])]}
    />
  );
}

/** The same as a setting with its help. */
export function PathSetting(
  props: Omit<ComponentProps<typeof SettingField>, 'completions'> & { readonly machineId: string | null },
) {
  const { machineId, ...field } = props;
  return <SettingField mono {...field} completions={usePathCompletions(machineId, field.value)} />;
}
