import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconCopy, IconFileImport, IconPlus, IconTrash } from '@tabler/icons-react';
import { agentPositions, PRESETS, teamOfMembers } from '../../preload/contract/plans/index';
import { memberOf, messageProps, NO_TRANSITION, TeamFields } from '../shared/agents/index';
import { useHues, useWorkbench } from '../state/index';
import { configurationColor } from '../theme/index';
import { Section, Select, usePress } from '../widgets/index';
import type { CheckedConfiguration } from './check-study';
import type { FormSectionProps } from './form-messages';
import styles from './new-study.module.css';
import { overrideTexts } from './override-texts';
import {
  type ConfigurationDraft,
  configurationNames,
  methodName,
  withConfiguration,
  withConfigurationAdded,
  withConfigurationCopied,
  withConfigurationRemoved,
  withoutOverrides,
  withRowPreset,
} from './study-draft';

/** The configurations of the study, each in its colour. */
export function Configurations(props: FormSectionProps) {
  const { draft, benchmark, library, checked, messages, change } = props;
  const { libraryCommands } = useWorkbench();
  const hues = useHues(configurationNames(draft.configurations, library));
  const positions = agentPositions(
    draft.configurations.map(({ key, agents }) => ({
      configuration: String(key),
      // Named as in the study, where the same model twice has roles.
      agents: teamOfMembers(agents.map((_, at) => memberOf(agents, at)))?.agents ?? [],
    })),
  );
  const importing = usePress(() => libraryCommands.importRecording(benchmark.id));
  const error = messages.error('configurations');
  return (
    <Section
      title="Configurations"
      aside={
        <div className={styles.sectionActions}>
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<IconPlus size={12} aria-hidden="true" />}
            onClick={() => change(withConfigurationAdded(draft, library))}
          >
            Add configuration
          </Button>
          <Button
            variant="default"
            size="compact-xs"
            loading={importing.busy}
            title={`Recorded samples for ${benchmark.name}`}
            leftSection={<IconFileImport size={12} aria-hidden="true" />}
            onClick={importing.press}
          >
            Import recording
          </Button>
        </div>
      }
    >
      {error !== undefined && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      <ol className={styles.rows} aria-label="Configurations">
        {draft.configurations.map((row, position) => (
          <Row
            key={row.key}
            {...props}
            row={row}
            position={position}
            hue={hues[position] ?? 0}
            positions={positions.get(String(row.key)) ?? []}
            checked={checked.rows[position]}
          />
        ))}
      </ol>
    </Section>
  );
}

/** Value of the list for "same strategy as the study". */
const AS_STUDY = 'as the study';
const KIND_MEANING = {
  single: 'One agent',
  homogeneous: 'One model in several roles',
  heterogeneous: 'Different models',
} as const;

function Row(
  props: Omit<FormSectionProps, 'checked'> & {
    readonly row: ConfigurationDraft;
    readonly position: number;
    readonly hue: number;
    /** Of its agents' marks (`agentStyle`). */
    readonly positions: readonly number[];
    readonly checked: CheckedConfiguration | undefined;
  },
) {
  const { row, position, hue, positions, draft, benchmark, library, messages, change } = props;
  const { key } = row;
  const edit = (part: Partial<Omit<ConfigurationDraft, 'key'>>): void =>
    change(withConfiguration(draft, key, part));
  const kind = props.checked?.kind ?? null;
  const label = `configuration ${position + 1}`;
  return (
    <li className={styles.row}>
      <i className={styles.colour} style={{ background: configurationColor(hue) }} />
      <div className={styles.named}>
        <TextInput
          aria-label={`Name of ${label}`}
          placeholder={
            configurationNames(draft.configurations.with(position, { ...row, name: '' }), library)[
              position
            ] ?? ''
          }
          value={row.name}
          onChange={(event) => edit({ name: event.currentTarget.value })}
          {...messageProps(messages, `${key} name`)}
        />
        <Select
          size="xs"
          variant="unstyled"
          classNames={{ input: styles.rowStrategy }}
          aria-label={`Strategy of ${label}`}
          title="A different strategy for this configuration, as in an ablation"
          allowDeselect={false}
          comboboxProps={{ ...NO_TRANSITION, width: 260, position: 'bottom-start' }}
          value={row.preset ?? AS_STUDY}
          data={[
            { value: AS_STUDY, label: `same as the study: ${methodName(draft)}` },
            {
              group: 'For this configuration',
              items: PRESETS.map(({ id, name }) => ({ value: id, label: name })),
            },
          ]}
          onChange={(value) => change(withRowPreset(draft, key, value === AS_STUDY ? null : value))}
        />
        {row.keeps !== undefined && (
          <span className={styles.soft}>
            {`except: ${overrideTexts(row.keeps).join(', ')} `}
            <Button
              variant="subtle"
              size="compact-xs"
              aria-label={`Search ${label} as the study`}
              onClick={() => change(withoutOverrides(draft, key))}
            >
              Drop
            </Button>
          </span>
        )}
        {kind !== null && (
          <span className={styles.kind} title={KIND_MEANING[kind]}>
            {kind}
          </span>
        )}
      </div>
      <div className={styles.agents}>
        <TeamFields
          label={label}
          team={row}
          positions={positions}
          benchmark={benchmark}
          library={library}
          messages={messages}
          onChange={(next) => edit({ agents: next })}
        />
      </div>
      <div className={styles.rowActions}>
        <ActionIcon
          aria-label={`Duplicate ${label}`}
          title="Duplicate"
          onClick={() => change(withConfigurationCopied(draft, key, library))}
        >
          <IconCopy size={14} />
        </ActionIcon>
        <ActionIcon
          aria-label={`Remove ${label}`}
          title="Remove"
          onClick={() => change(withConfigurationRemoved(draft, key))}
        >
          <IconTrash size={14} />
        </ActionIcon>
      </div>
    </li>
  );
}
