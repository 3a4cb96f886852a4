import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { LAUNCH_PRESETS } from '../../preload/contract/plans/index';
import { PathInput } from '../shared/machines/index';
import { agentStyle } from '../theme/index';
import { AgentShapeMark, ExplainedSelect, Fields, FormError, Section, WideField } from '../widgets/index';
import type { FormSectionProps } from './form-errors';
import {
  MARTI_PRESETS,
  type MartiAgentDraft,
  type MartiDraft,
  presetInfo,
  withMartiAgent,
  withMartiPreset,
} from './marti-draft';
import styles from './new-training.module.css';

const PRESETS = MARTI_PRESETS.map(({ id, name, line }) => ({ value: id, label: name, line }));
const MODELS = LAUNCH_PRESETS.map(({ weights }) => weights);

/** Selects the MARTI preset. */
export function MartiPresetFields({ draft, onChange }: FormSectionProps) {
  const { marti } = draft;
  return (
    <Section title="Method">
      <div className={styles.choice}>
        <ExplainedSelect
          label="Preset"
          value={marti.preset}
          options={PRESETS}
          onChange={(preset) => onChange({ marti: withMartiPreset(marti, preset) })}
        />
        <span className={styles.line}>{presetInfo(marti.preset).line}</span>
      </div>
    </Section>
  );
}

/** Agents and paths of a MARTI training. */
export function MartiFields({ draft, errorAt, onChange }: FormSectionProps) {
  const { marti } = draft;
  const { machineId } = draft.machineDraft;
  const edit = (part: Partial<MartiDraft>): void => onChange({ marti: { ...marti, ...part } });
  const text = (
    field: 'checkout' | 'python' | 'data' | 'output' | 'rayAddress' | 'extraArguments',
    label: string,
    placeholder: string,
    description?: string,
  ) => (
    <PathInput
      machineId={machineId}
      // What stands in the empty field of the cluster is no address.
      className={field === 'rayAddress' && marti[field] === '' ? '' : styles.mono}
      label={label}
      placeholder={placeholder}
      description={description}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      error={errorAt(field)}
      value={marti[field]}
      onChange={(value) => edit({ [field]: value })}
    />
  );
  return (
    <>
      <Section title="Agents">
        <Agents
          machineId={machineId}
          marti={marti}
          errorAt={errorAt}
          onChange={(next) => onChange({ marti: next })}
        />
      </Section>
      <Section title="On the machine">
        <Fields>
          {text('checkout', 'MARTI repository', '~/MARTI')}
          {text('python', 'Python', '/opt/envs/marti/bin/python3', "With MARTI's packages installed.")}
          {text('data', 'Data', '~/data/deepcoder', 'A folder with train and test JSON or JSONL files.')}
          {text(
            'output',
            'Output',
            '/scratch/mars2',
            'For logs, TensorBoard and checkpoints; created if missing.',
          )}
          {text('rayAddress', 'Ray cluster', 'started by the trainer', 'Address of a running cluster.')}
          <WideField>{text('extraArguments', 'Extra arguments', '--enable_entropy_loss')}</WideField>
        </Fields>
      </Section>
    </>
  );
}

function Agents(props: {
  readonly machineId: string;
  readonly marti: MartiDraft;
  readonly errorAt: FormSectionProps['errorAt'];
  readonly onChange: (marti: MartiDraft) => void;
}) {
  const { machineId, marti, errorAt, onChange } = props;
  const [least, most] = presetInfo(marti.preset).agents;
  const edit = (key: number, part: Partial<MartiAgentDraft>): void =>
    onChange({
      ...marti,
      agents: marti.agents.map((agent) => (agent.key === key ? { ...agent, ...part } : agent)),
    });
  return (
    <>
      <div className={styles.agents}>
        {marti.agents.map(({ key, model, role, isReasoning }, position) => (
          <AgentLine
            key={key}
            machineId={machineId}
            position={position}
            agent={{ key, model, role, isReasoning }}
            errorAt={errorAt}
            isRemovable={marti.agents.length > least}
            onChange={(part) => edit(key, part)}
            onRemove={() => onChange({ ...marti, agents: marti.agents.filter((agent) => agent.key !== key) })}
          />
        ))}
      </div>
      <FormError text={errorAt('agents')} />
      {marti.agents.length < most && (
        <Button
          variant="subtle"
          size="compact-xs"
          ml={-7}
          leftSection={<IconPlus size={13} aria-hidden="true" />}
          onClick={() => onChange(withMartiAgent(marti))}
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
  readonly agent: MartiAgentDraft;
  readonly errorAt: FormSectionProps['errorAt'];
  readonly isRemovable: boolean;
  readonly onChange: (part: Partial<MartiAgentDraft>) => void;
  readonly onRemove: () => void;
}) {
  const { machineId, position, agent, errorAt, isRemovable, onChange, onRemove } = props;
  const name = `agent ${position}`;
  return (
    <>
      <AgentShapeMark agent={agentStyle(position)} size={12} />
      <PathInput
        machineId={machineId}
        others={MODELS}
        size="xs"
        className={styles.mono}
        aria-label={`Model of ${name}`}
        placeholder="/models/Qwen3-8B, or a Hugging Face name"
        error={errorAt(`agent ${agent.key}`)}
        value={agent.model}
        onChange={(model) => onChange({ model })}
      />
      <TextInput
        aria-label={`Role of ${name}`}
        placeholder="generator"
        autoComplete="off"
        error={errorAt(`role ${agent.key}`)}
        value={agent.role}
        onChange={(event) => onChange({ role: event.currentTarget.value })}
      />
      <Checkbox
        size="xs"
        label="Reasoning model"
        aria-label={`Reasoning model of ${name}`}
        checked={agent.isReasoning}
        onChange={(event) => onChange({ isReasoning: event.currentTarget.checked })}
      />
      {isRemovable ? (
        <ActionIcon aria-label={`Remove ${name}`} onClick={onRemove}>
          <IconX size={13} />
        </ActionIcon>
      ) : (
        <span />
      )}
    </>
  );
}
