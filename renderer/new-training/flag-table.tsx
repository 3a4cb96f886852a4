import { Button, Checkbox, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';
import {
  MARTI_FLAG_GROUPS,
  MARTI_FLAGS,
  MARTI_GROUP_TITLES,
  type MartiFlag,
  type MartiPreset,
  martiFlag,
} from '../../preload/contract/plans/index';
import { Disclosure, FormNote, plural, Section, type Setting, SettingsGrid } from '../widgets/index';
import type { FormSectionProps } from './form-errors';
import { flagText, presetFlag, shownFlags, withFlag } from './marti-flag-draft';
import styles from './new-training.module.css';

const ON_OFF = [
  { value: 'true', label: 'on' },
  { value: 'false', label: 'off' },
];

function withName<T>(name: string, other: T, read: (flag: MartiFlag) => T): T {
  const flag = martiFlag(name);
  return flag === null ? other : read(flag);
}

/** The flags of MARTI's scripts by group, searchable, with the preset's values; closed until one is to be changed or is wrong. */
export function FlagTable({ draft, errorAt, onChange }: FormSectionProps) {
  const { marti } = draft;
  const [search, setSearch] = useState('');
  const [changedOnly, setChangedOnly] = useState(false);
  const filter = { search: useDeferredValue(search), changedOnly };
  const settings = useMemo(() => settingsOf(marti.preset), [marti.preset]);
  const shown = shownFlags(marti, filter);
  const changed = Object.keys(marti.flags).length;
  const [open, setOpen] = useState(false);
  const isWrong = MARTI_FLAGS.some(({ name }) => errorAt(`flag.${name}`) !== undefined);
  return (
    <Section title="Trainer settings">
      <Disclosure
        label={`${MARTI_FLAGS.length - changed} settings as in the script`}
        note={changed === 0 ? '' : `${changed} changed`}
        open={open || isWrong}
        onToggle={() => setOpen(!open)}
      >
        <div className={styles.flagTools}>
          <TextInput
            aria-label="Find a setting"
            placeholder="Find by name or meaning"
            w={240}
            leftSection={<IconSearch size={13} aria-hidden="true" />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <Checkbox
            size="xs"
            label={`Only changed (${changed})`}
            checked={changedOnly}
            onChange={(event) => setChangedOnly(event.currentTarget.checked)}
          />
          {changed > 0 && (
            <Button
              variant="subtle"
              size="compact-xs"
              onClick={() => onChange({ marti: { ...marti, flags: {} } })}
            >
              Reset all
            </Button>
          )}
          <FormNote>
            {plural(shown.length, 'setting')}
            {shown.length < MARTI_FLAGS.length && ` of ${MARTI_FLAGS.length}`}
          </FormNote>
        </div>
        {shown.length === 0 && <FormNote>No matching settings.</FormNote>}
        {MARTI_FLAG_GROUPS.map((group) => {
          const flags = shown.filter((flag) => flag.group === group);
          return (
            flags.length > 0 && (
              <section key={group} className={styles.flagGroup} aria-label={MARTI_GROUP_TITLES[group]}>
                <h3>{MARTI_GROUP_TITLES[group]}</h3>
                <SettingsGrid
                  settings={flags.flatMap(({ name }) => settings.get(name) ?? [])}
                  textOf={(name) => withName(name, '', (flag) => flagText(marti, flag))}
                  defaultOf={(name) => withName(name, '', (flag) => presetFlag(flag, marti.preset))}
                  errorAt={(name) => errorAt(`flag.${name}`)}
                  onChange={(name, text) =>
                    withName(name, undefined, (flag) => onChange({ marti: withFlag(marti, flag, text) }))
                  }
                />
              </section>
            )
          );
        })}
      </Disclosure>
    </Section>
  );
}

/** The flags as fields, by name, with the preset's values as defaults. */
function settingsOf(preset: MartiPreset): ReadonlyMap<string, Setting> {
  return new Map(
    MARTI_FLAGS.map((flag) => {
      const { name, label, help, takes, martiDefault: own } = flag;
      const choices =
        takes.kind === 'switch'
          ? ON_OFF
          : takes.kind === 'choice'
            ? takes.choices.map((value) => ({ value, label: value }))
            : null;
      return [
        name,
        {
          id: name,
          label,
          help,
          title: name,
          mono: takes.kind === 'text',
          ...(choices === null ? {} : { choices }),
          ...(presetFlag(flag, preset) === '' ? { placeholder: own ?? 'not passed' } : {}),
        },
      ];
    }),
  );
}
