import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { PRESETS } from '../../preload/contract/plans/index';
import type { Study } from '../../preload/contract/study';
import {
  type FieldError,
  type FieldMessages,
  NO_TRANSITION,
  nextAgent,
  TeamFields,
} from '../shared/agents/index';
import { Select } from '../widgets/index';
import {
  type AddedConfiguration,
  type AgentSources,
  addedName,
  type CheckedExtension,
  type ExtendDraft,
  nextConfiguration,
  teamChoices,
} from './extend-draft';
import styles from './study.module.css';

/** Values of the lists; no name of a configuration begins with a space. */
const AS_STUDY = ' as the study';
const OTHER_AGENTS = ' other agents';

/** The configurations that an extension adds. */
export function AddedRows(
  props: AgentSources & {
    readonly study: Study;
    readonly draft: ExtendDraft;
    readonly errors: CheckedExtension['rowErrors'];
    readonly agentErrors: readonly FieldError[];
    readonly change: (part: Partial<ExtendDraft>) => void;
  },
) {
  const { study, benchmark, library, draft, errors, agentErrors, change } = props;
  const { configurations } = draft;
  const choices = teamChoices(study);
  const group = (title: string, isNew: boolean) => ({
    group: title,
    items: choices.filter((choice) => choice.isNew === isNew).map(({ label }) => label),
  });
  const canChooseAgents = benchmark !== null && library !== null;
  const teams = [
    ...(canChooseAgents
      ? [{ group: 'Of other agents', items: [{ value: OTHER_AGENTS, label: 'Agents of your choice' }] }]
      : []),
    group('Other teams of its models', true),
    group('As in a configuration', false),
  ];
  const messages: FieldMessages = {
    error: (at) => agentErrors.find((error) => error.kind === 'wrong' && error.at === at)?.message,
    warnings: () => [],
  };
  const edit = (key: number, part: Partial<AddedConfiguration>): void =>
    change({ configurations: configurations.map((row) => (row.key === key ? { ...row, ...part } : row)) });
  const withTeam = ({ key, agents }: AddedConfiguration, team: string): void => {
    const isOther = team === OTHER_AGENTS && canChooseAgents;
    const first = isOther && agents.length === 0 ? [nextAgent([], benchmark.id, library)] : agents;
    edit(key, isOther ? { team: null, agents: first } : { team });
  };
  return (
    <div className={styles.added}>
      <b>Configurations to add</b>
      {configurations.map((row, at) => (
        <div key={row.key} className={styles.addedRow}>
          <Select
            aria-label={`Team of new configuration ${at + 1}`}
            allowDeselect={false}
            comboboxProps={NO_TRANSITION}
            value={row.team ?? OTHER_AGENTS}
            data={teams}
            onChange={(team) => team !== null && withTeam(row, team)}
          />
          <Select
            aria-label={`Strategy of new configuration ${at + 1}`}
            allowDeselect={false}
            comboboxProps={NO_TRANSITION}
            value={row.preset ?? AS_STUDY}
            data={[
              { value: AS_STUDY, label: 'strategy of the study' },
              ...PRESETS.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(id) => edit(row.key, { preset: id === AS_STUDY ? null : id })}
          />
          <TextInput
            aria-label={`Name of new configuration ${at + 1}`}
            placeholder={addedName({ ...row, name: '' }, library)}
            maxLength={80}
            error={errors.get(row.key)}
            value={row.name}
            onChange={(event) => edit(row.key, { name: event.currentTarget.value })}
          />
          <ActionIcon
            aria-label={`Remove new configuration ${at + 1}`}
            title="Remove"
            onClick={() => change({ configurations: configurations.filter(({ key }) => key !== row.key) })}
          >
            <IconTrash size={14} />
          </ActionIcon>
          {row.team === null && canChooseAgents && (
            <div className={styles.addedTeam}>
              <TeamFields
                label={`new configuration ${at + 1}`}
                team={row}
                {...{ benchmark, library, messages }}
                onChange={(agents) => edit(row.key, { agents })}
              />
            </div>
          )}
        </div>
      ))}
      <Button
        variant="default"
        size="compact-xs"
        leftSection={<IconPlus size={12} aria-hidden="true" />}
        onClick={() =>
          change({ configurations: [...configurations, nextConfiguration(study, configurations, library)] })
        }
      >
        Add configuration
      </Button>
    </div>
  );
}
