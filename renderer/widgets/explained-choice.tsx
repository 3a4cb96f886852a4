import styles from './explained-choice.module.css';
import { Select } from './select';

export type ExplainedOption = {
  readonly value: string;
  readonly label: string;
  /** What it is, in a sentence. */
  readonly line: string;
  /** A tag after the name, e.g. "control"; empty: none. */
  readonly mark?: string;
};

/** A select whose options have descriptions. */
export function ExplainedSelect<T extends string>(props: {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (ExplainedOption & { readonly value: T })[];
  readonly width?: number | string;
  readonly onChange: (value: T) => void;
}) {
  const { label, value, options, onChange, width = 260 } = props;
  return (
    <Select
      aria-label={label}
      w={width}
      allowDeselect={false}
      comboboxProps={{ transitionProps: { duration: 0 }, width: 460, position: 'bottom-start' }}
      maxDropdownHeight={460}
      value={value}
      data={options.map((option) => ({ value: option.value, label: option.label }))}
      onChange={(next) => {
        const option = options.find((option) => option.value === next);
        if (option !== undefined) onChange(option.value);
      }}
      renderOption={({ option }) => {
        const described = options.find((candidate) => candidate.value === option.value);
        return (
          <span className={styles.option}>
            <b>
              {option.label}
              {described?.mark !== undefined && described.mark !== '' && <i>{described.mark}</i>}
            </b>
            <span>{described?.line}</span>
          </span>
        );
      }}
    />
  );
}
