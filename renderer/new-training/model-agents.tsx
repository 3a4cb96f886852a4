import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { MODEL_AGENT_LIMITS } from '../../preload/contract/plans/index';
import { PathInput } from '../shared/machines/index';
import { EXTRACTIONS } from '../text/extractions';
import { agentStyle } from '../theme/index';
import { AgentShapeMark, FormError, Select } from '../widgets/index';
import type { FormSectionProps } from './form-errors';
import { type ModelAgentDraft, type ModelDraft, withModelAgent } from './model-draft';
import styles from './new-training.module.css';

const THINKING = [
  { value: '', label: 'Default' },
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
] as const;
const [FEWEST, MOST] = MODEL_AGENT_LIMITS.agents;

/** The models, a line each, with how they answer. */
export function ModelAgents(props: {
  readonly machineId: string;
  readonly model: ModelDraft;
  readonly errorAt: FormSectionProps['errorAt'];
  readonly onChange: (model: ModelDraft) => void;
}) {
  const { machineId, model, errorAt, onChange } = props;
  const edit = (key: number, part: Partial<ModelAgentDraft>): void =>
    onChange({
      ...model,
      agents: model.agents.map((agent) => (agent.key === key ? { ...agent, ...part } : agent)),
    });
  return (
    <>
      <div className={styles.modelAgents}>
        <div>
          <span />
          <small>Name</small>
          <small>Model folder or GGUF file</small>
          <small>Answer, tokens</small>
          <small>Thinking</small>
          <small>Program in the answer</small>
          <span />
        </div>
        {model.agents.map((agent, position) => (
          <AgentLine
            key={agent.key}
            machineId={machineId}
            position={position}
            agent={agent}
            errorAt={errorAt}
            isRemovable={model.agents.length > FEWEST}
            onChange={(part) => edit(agent.key, part)}
            onRemove={() =>
              onChange({ ...model, agents: model.agents.filter(({ key }) => key !== agent.key) })
            }
          />
        ))}
      </div>
      <FormError text={errorAt('agents')} />
      {model.agents.length < MOST && (
        <Button
          variant="subtle"
          size="compact-xs"
          ml={-7}
          leftSection={<IconPlus size={13} aria-hidden="true" />}
          onClick={() => onChange(withModelAgent(model))}
        >
          Add an agent
        </Button>
      )}
    </>
  );
}

function AgentLine(props: {
  readonly machineId: string;
  readonly position: number;
  readonly agent: ModelAgentDraft;
  readonly errorAt: FormSectionProps['errorAt'];
  readonly isRemovable: boolean;
  readonly onChange: (part: Partial<ModelAgentDraft>) => void;
  readonly onRemove: () => void;
}) {
  const { machineId, position, agent, errorAt, isRemovable, onChange, onRemove } = props;
  const { key, id, model, maxTokens, thinking, extraction } = agent;
  const name = `agent ${position + 1}`;
  return (
    <div>
      <AgentShapeMark agent={agentStyle(position)} size={12} />
      <TextInput
        aria-label={`Name of ${name}`}
        autoComplete="off"
        spellCheck={false}
        error={errorAt(`id ${key}`)}
        value={id}
        onChange={(event) => onChange({ id: event.currentTarget.value })}
      />
      <PathInput
        machineId={machineId}
        className={styles.mono}
        aria-label={`Model of ${name}`}
        placeholder="/models/Qwen3-0.6B"
        maxLength={MODEL_AGENT_LIMITS.model}
        error={errorAt(`model ${key}`)}
        value={model}
        onChange={(path) => onChange({ model: path })}
      />
      <TextInput
        aria-label={`Most answer tokens of ${name}`}
        inputMode="numeric"
        autoComplete="off"
        error={errorAt(`tokens ${key}`)}
        value={maxTokens}
        onChange={(event) => onChange({ maxTokens: event.currentTarget.value })}
      />
      <Select
        aria-label={`Thinking of ${name}`}
        allowDeselect={false}
        comboboxProps={{ transitionProps: { duration: 0 } }}
        value={thinking}
        data={[...THINKING]}
        onChange={(value) => {
          const choice = THINKING.find((choice) => choice.value === value);
          if (choice !== undefined) onChange({ thinking: choice.value });
        }}
      />
      <Select
        aria-label={`Program in the answer of ${name}`}
        allowDeselect={false}
        comboboxProps={{ transitionProps: { duration: 0 } }}
        value={extraction}
        data={[...EXTRACTIONS]}
        onChange={(value) => {
          const choice = EXTRACTIONS.find((choice) => choice.value === value);
          if (choice !== undefined) onChange({ extraction: choice.value });
        }}
      />
      {isRemovable ? (
        <ActionIcon aria-label={`Remove ${name}`} onClick={onRemove}>
          <IconX size={13} />
        </ActionIcon>
      ) : (
        <span />
      )}
    </div>
  );
}
