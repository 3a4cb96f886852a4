import { Select } from '../../widgets/select';

/** Chooses the machine to run on; `description`: a summary of it. */
export function MachineSelect(props: {
  /** null: not in the list. */
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
