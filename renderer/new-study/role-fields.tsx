import { Textarea } from '@mantine/core';
import { ROLES } from '../../preload/contract/plans/index';
import styles from './new-study.module.css';
import { type Said, saidAt } from './said';

/** What the two roles of one model are told; the papers do not publish theirs, so these can be changed. */
export function RoleFields(props: {
  readonly which: string;
  readonly configuration: number;
  readonly prompts: readonly [string, string];
  readonly said: Said;
  readonly onChange: (prompts: readonly [string, string]) => void;
}) {
  const { which, configuration, prompts, said, onChange } = props;
  const [solver, refiner] = prompts;
  return (
    <div className={styles.roles}>
      {ROLES.map((role, at) => (
        <Textarea
          key={role.name}
          size="xs"
          autosize
          minRows={2}
          maxRows={8}
          label={`Prompt of the ${role.name}`}
          aria-label={`Prompt of the ${role.name} of ${which}`}
          value={at === 0 ? solver : refiner}
          onChange={(event) => {
            const text = event.currentTarget.value;
            onChange(at === 0 ? [text, refiner] : [solver, text]);
          }}
          {...saidAt(said, `${configuration} role ${at}`)}
        />
      ))}
    </div>
  );
}
