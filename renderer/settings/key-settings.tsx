import { ActionIcon, Button, PasswordInput, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Refusal } from '../../preload/contract/refusal';
import { useSecrets, useWorkbench } from '../state/index';
import { ConfirmDialog, FormRefusal, FormWarning, Hint, LoadingState, usePress } from '../widgets/index';
import { SettingEntry } from './entry';
import styles from './settings.module.css';

const NAME = /^[\w.-]{1,60}$/;

/** Names of the keys in the system's key store; a value goes in and is never shown again. */
export function KeySettings() {
  const secrets = useSecrets();
  const { secrets: commands } = useWorkbench();
  const [removing, setRemoving] = useState<string | null>(null);
  // The terminal may have saved some since they were read, without an event for the window.
  useEffect(() => commands.list.refreshAll(), [commands]);
  return (
    <dl className={styles.list}>
      <SettingEntry label="Stored keys">
        {secrets.kind === 'loading' && <LoadingState text="Loading the key store" />}
        {secrets.kind === 'failed' && (
          <>
            {secrets.error.message}
            {secrets.error.hint !== undefined && <Hint text={secrets.error.hint} />}
          </>
        )}
        {secrets.kind === 'ready' && secrets.value.problem !== null && (
          <FormWarning text={secrets.value.problem} />
        )}
        {secrets.kind === 'ready' && secrets.value.problem === null && secrets.value.keptIn !== null && (
          <p className={styles.soft}>Kept in {secrets.value.keptIn}.</p>
        )}
        {secrets.kind === 'ready' &&
          (secrets.value.names.length === 0 ? (
            <span className={styles.quiet}>None. A server that needs a key refers to it by name.</span>
          ) : (
            <ul className={styles.keys} aria-label="Keys">
              {secrets.value.names.map((name) => (
                <li key={name}>
                  <code data-selectable>{name}</code>
                  <ActionIcon
                    size={22}
                    aria-label={`Remove the key ${name}`}
                    onClick={() => setRemoving(name)}
                  >
                    <IconX size={13} />
                  </ActionIcon>
                </li>
              ))}
            </ul>
          ))}
      </SettingEntry>
      <SettingEntry label="Add a key">
        <AddKey taken={secrets.kind === 'ready' ? secrets.value.names : []} />
      </SettingEntry>
      <ConfirmDialog
        opened={removing !== null}
        title={`Remove the key ${removing ?? ''}?`}
        confirm="Remove key"
        cancel="Keep it"
        onConfirm={() => removing !== null && void commands.remove(removing)}
        onClose={() => setRemoving(null)}
      >
        Deletes its value from this computer. Studies whose servers need it will fail there.
      </ConfirmDialog>
    </dl>
  );
}

function AddKey(props: { readonly taken: readonly string[] }) {
  const { secrets } = useWorkbench();
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const bad = name !== '' && !NAME.test(name);
  const replaces = props.taken.includes(name);
  const { busy, press } = usePress(async () => {
    const refused = await secrets.save(name, value);
    setRefusal(refused);
    if (refused !== null) return;
    setName('');
    setValue('');
  });
  return (
    <form
      className={styles.keyForm}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) press();
      }}
    >
      <TextInput
        aria-label="Name of the key"
        placeholder="Name, e.g. lab-gateway"
        autoComplete="off"
        spellCheck={false}
        error={bad ? 'Letters, digits, dots and dashes' : undefined}
        value={name}
        onChange={(event) => setName(event.currentTarget.value.trim())}
      />
      <PasswordInput
        aria-label="Value of the key"
        placeholder="Value"
        size="xs"
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show value' }}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={busy} disabled={name === '' || bad || value === ''}>
        {replaces ? 'Replace key' : 'Add key'}
      </Button>
      <p className={styles.soft}>Never shown, logged, exported or put on a command line.</p>
      {refusal !== null && (
        <div className={styles.wholeLine}>
          <FormRefusal title="The key was not saved" message={refusal.message} hint={refusal.hint} />
        </div>
      )}
    </form>
  );
}
