import { Select } from '../../widgets/select';

/** The machine on which something is to run; `line` says what is known of the chosen one. */
export function MachineSelect(props: {
  /** null: none that is in the list. */
  readonly value: string | null;
  readonly machines: readonly { readonly id: string; readonly name: string }[];
  readonly description: string | undefined;
  readonly error: string | undefined;
  readonly onChange: (machineId: string) => void;
}) {
  return (
    <Select
      label="Machine"
      allowDeselect={false}
      comboboxProps={{ transitionProps: { duration: 0 } }}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      description={props.description}
      error={props.error}
      value={props.value}
      data={props.machines.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(value) => value !== null && props.onChange(value)}
    />
  );
}
