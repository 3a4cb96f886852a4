import { ActionIcon, TextInput } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { MachineView } from '../../../preload/contract/machine';
import type { Benchmark } from '../../../preload/contract/problem';
import { LOCAL_MACHINE, readyValue, useMachines, useSecrets, useServers } from '../../state/index';
import { agentStyle } from '../../theme/index';
import { AgentShapeMark, Select } from '../../widgets/index';
import { AgentDetailFields } from './agent-details';
import { type AgentChoice, detailsText, type Library } from './agents';
import styles from './agents.module.css';
import { CheckpointFields } from './checkpoint-fields';
import { NO_TRANSITION } from './input-options';
import { type FieldMessages, messageProps, Warnings } from './messages';
import { choiceOf, modelOptions, optionOf } from './model-options';

/** One agent of a team: its model, and for a remote model its URL, name and key. */
export function AgentFields(props: {
  readonly label: string;
  readonly configuration: number;
  readonly at: number;
  readonly position: number;
  readonly team: readonly AgentChoice[];
  readonly agent: AgentChoice;
  readonly benchmark: Benchmark;
  readonly library: Library;
  readonly messages: FieldMessages;
  readonly onChange: (agent: AgentChoice) => void;
  readonly onRemove: (() => void) | undefined;
}) {
  const { label, configuration, at, team, agent, benchmark, library, messages, onChange, onRemove } = props;
  const [open, setOpen] = useState(false);
  const machines = readyValue(useMachines());
  const servers = readyValue(useServers()) ?? [];
  const summary = [machineText(agent, machines), detailsText(team, at)]
    .filter((part) => part !== '')
    .join(', ');
  // Stays open while it contains an error.
  const isOpen = open || messages.error(`${configuration} details ${at}`) !== undefined;
  const warnings = messages.warnings(`${configuration} agent ${at}`);
  return (
    <div className={styles.agent}>
      <AgentShapeMark agent={agentStyle(props.position)} />
      <Select
        aria-label={label}
        allowDeselect={false}
        // Names of recordings are long: the list is as wide as they are.
        comboboxProps={{ ...NO_TRANSITION, width: 'max-content', position: 'bottom-start' }}
        maxDropdownHeight={280}
        data={modelOptions(agent, benchmark, library, { servers, machines })}
        value={optionOf(agent)}
        onChange={(value) =>
          value !== null && onChange(keepDetails(choiceOf(value, library, servers), agent))
        }
        error={messages.error(`${configuration} agent ${at}`)}
      />
      {agent.kind === 'url' && (
        <div className={styles.address}>
          <TextInput
            aria-label={`URL of ${uncapitalized(label)}`}
            placeholder="http://127.0.0.1:8000/v1"
            inputMode="url"
            spellCheck={false}
            value={agent.baseUrl}
            onChange={(event) => onChange({ ...agent, baseUrl: event.currentTarget.value })}
            {...messageProps(messages, `${configuration} address ${at}`)}
          />
          <TextInput
            aria-label={`Model of ${uncapitalized(label)}`}
            placeholder="model"
            spellCheck={false}
            value={agent.model}
            onChange={(event) => onChange({ ...agent, model: event.currentTarget.value })}
            {...messageProps(messages, `${configuration} model ${at}`)}
          />
          <KeySelect
            label={`Key of ${uncapitalized(label)}`}
            value={agent.secret ?? null}
            onChange={(secret) => {
              const { secret: _before, ...without } = agent;
              onChange(secret === null ? without : { ...without, secret });
            }}
          />
        </div>
      )}
      {agent.kind === 'checkpoint' && (
        <CheckpointFields {...props} label={uncapitalized(label)} agent={agent} />
      )}
      <div className={styles.agentActions}>
        <ActionIcon
          aria-label={`Details of ${uncapitalized(label)}`}
          aria-expanded={isOpen}
          title="Role, sampling, budget"
          onClick={() => setOpen(!open)}
        >
          <IconAdjustmentsHorizontal size={14} />
        </ActionIcon>
        {onRemove !== undefined && (
          <ActionIcon aria-label={`Remove ${uncapitalized(label)}`} title="Remove agent" onClick={onRemove}>
            <IconX size={13} />
          </ActionIcon>
        )}
      </div>
      {summary !== '' && !isOpen && <p className={styles.agentSummary}>{summary}</p>}
      {isOpen && (agent.kind === 'pocket' || agent.kind === 'url') && (
        <MachineOfServer
          title={agent.kind === 'url' ? 'Machine that sees the URL' : 'Server machine'}
          label={`Machine of ${uncapitalized(label)}`}
          value={agent.machineId ?? LOCAL_MACHINE}
          onChange={(machineId) => {
            const { machineId: _before, ...without } = agent;
            onChange(machineId === LOCAL_MACHINE ? without : { ...without, machineId });
          }}
        />
      )}
      {isOpen && (
        <AgentDetailFields
          label={uncapitalized(label)}
          configuration={configuration}
          team={team}
          at={at}
          messages={messages}
          onChange={(details) => onChange({ ...agent, details })}
        />
      )}
      {warnings.length > 0 && (
        <div className={styles.agentWarnings}>
          <Warnings texts={warnings} />
        </div>
      )}
    </div>
  );
}

/** Selects a key of the key store by name; the window never sees its value. */
function KeySelect(props: {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (name: string | null) => void;
}) {
  const names = readyValue(useSecrets())?.names ?? [];
  const options = props.value === null || names.includes(props.value) ? names : [...names, props.value];
  return (
    <Select
      aria-label={props.label}
      placeholder="no key"
      title={names.length === 0 ? 'Add keys in Settings' : 'From the key store'}
      clearable
      nothingFoundMessage="No keys: add one in Settings"
      comboboxProps={NO_TRANSITION}
      value={props.value}
      data={[...options]}
      onChange={props.onChange}
    />
  );
}

/** "on gpu1"; empty for this computer. */
function machineText(agent: AgentChoice, machines: readonly MachineView[] | null): string {
  if ((agent.kind !== 'pocket' && agent.kind !== 'url') || agent.machineId === undefined) return '';
  const name = machines?.find(({ spec }) => spec.id === agent.machineId)?.spec.name;
  return `${agent.kind === 'url' ? 'seen from' : 'on'} ${name ?? agent.machineId}`;
}

/** Selects the machine of the agent's server; hidden if there is only this computer. */
function MachineOfServer(props: {
  readonly title: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (machineId: string) => void;
}) {
  const machines = readyValue(useMachines()) ?? [];
  if (machines.length < 2 && props.value === LOCAL_MACHINE) return null;
  const machineOptions = machines.map(({ spec }) => ({
    value: spec.id,
    label: spec.kind === 'local' ? 'on this computer' : `on ${spec.name}`,
  }));
  const lost = machineOptions.some(({ value }) => value === props.value)
    ? []
    : [{ value: props.value, label: `on ${props.value}` }];
  return (
    <div className={styles.serverMachine}>
      <Select
        label={props.title}
        aria-label={props.label}
        allowDeselect={false}
        comboboxProps={NO_TRANSITION}
        value={props.value}
        data={[...machineOptions, ...lost]}
        onChange={(value) => value !== null && props.onChange(value)}
      />
    </div>
  );
}

/** Keeps the details when another model is selected. */
function keepDetails(choice: AgentChoice, before: AgentChoice): AgentChoice {
  return before.details === undefined ? choice : { ...choice, details: before.details };
}

function uncapitalized(label: string): string {
  return label.charAt(0).toLowerCase() + label.slice(1);
}
