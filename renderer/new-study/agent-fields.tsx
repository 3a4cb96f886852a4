import { ActionIcon, Select, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { POCKET_FAMILIES } from '../../preload/contract/plans/index';
import type { Benchmark } from '../../preload/contract/problem';
import { agentStyle } from '../theme/index';
import { AgentShapeMark, count } from '../widgets/index';
import { type AgentChoice, agentName, type Library } from './agents';
import styles from './new-study.module.css';
import { type Said, saidAt, Warned } from './said';

/** Values of the list: a pocket family, a recording, or an address that is typed beside it. */
const URL_VALUE = 'url';

function optionOf(agent: AgentChoice): string {
  if (agent.kind === 'pocket') return `pocket ${agent.family}`;
  return agent.kind === 'recorded' ? `recorded ${agent.recordingId}` : URL_VALUE;
}

function choiceOf(value: string): AgentChoice {
  const family = POCKET_FAMILIES.find((one) => value === `pocket ${one}`);
  if (family !== undefined) return { kind: 'pocket', family };
  if (value === URL_VALUE) return { kind: 'url', baseUrl: '', model: '' };
  return { kind: 'recorded', recordingId: value.slice('recorded '.length) };
}

/** One agent of a team: who it is, and for a model elsewhere also where. */
export function AgentFields(props: {
  readonly label: string;
  readonly configuration: number;
  readonly at: number;
  readonly agent: AgentChoice;
  readonly benchmark: Benchmark;
  readonly library: Library;
  readonly said: Said;
  readonly onChange: (agent: AgentChoice) => void;
  readonly onRemove: (() => void) | undefined;
}) {
  const { label, configuration, at, agent, benchmark, library, said, onChange, onRemove } = props;
  const recordings = library.recordings.filter(({ benchmarkId }) => benchmarkId === benchmark.id);
  const lost = agent.kind === 'recorded' && !recordings.some(({ id }) => id === agent.recordingId);
  const pocket = {
    group: benchmark.scale === 'pocket' ? 'Pocket policies' : 'Pocket policies (pocket problems only)',
    items: POCKET_FAMILIES.map((family) => ({ value: `pocket ${family}`, label: `Pocket ${family}` })),
  };
  const recorded = {
    group: `Recordings of ${benchmark.name}`,
    items: [
      ...recordings.map(({ id, name, fewestSamples, mostSamples }) => ({
        value: `recorded ${id}`,
        label: `${name} (${samplesText(fewestSamples, mostSamples)})`,
      })),
      ...(lost ? [{ value: optionOf(agent), label: agentName(agent, library) }] : []),
    ],
  };
  const outside = {
    group: 'Elsewhere',
    items: [{ value: URL_VALUE, label: 'OpenAI-compatible address' }],
  };
  const warnings = said.warnings(`${configuration} agent ${at}`);
  return (
    <div className={styles.agent}>
      <AgentShapeMark agent={agentStyle(at)} />
      <Select
        aria-label={label}
        allowDeselect={false}
        comboboxProps={{ transitionProps: { duration: 0 } }}
        maxDropdownHeight={280}
        data={
          benchmark.scale === 'pocket'
            ? [pocket, ...(recorded.items.length > 0 ? [recorded] : []), outside]
            : [...(recorded.items.length > 0 ? [recorded] : []), outside, pocket]
        }
        value={optionOf(agent)}
        onChange={(value) => value !== null && onChange(choiceOf(value))}
        error={said.fault(`${configuration} agent ${at}`)}
      />
      {agent.kind === 'url' && (
        <div className={styles.address}>
          <TextInput
            aria-label={`Address of ${lowered(label)}`}
            placeholder="http://127.0.0.1:8000/v1"
            inputMode="url"
            spellCheck={false}
            value={agent.baseUrl}
            onChange={(event) => onChange({ ...agent, baseUrl: event.currentTarget.value })}
            {...saidAt(said, `${configuration} address ${at}`)}
          />
          <TextInput
            aria-label={`Model of ${lowered(label)}`}
            placeholder="model"
            spellCheck={false}
            value={agent.model}
            onChange={(event) => onChange({ ...agent, model: event.currentTarget.value })}
            {...saidAt(said, `${configuration} model ${at}`)}
          />
        </div>
      )}
      {onRemove !== undefined && (
        <ActionIcon
          className={styles.removeAgent}
          aria-label={`Remove ${lowered(label)}`}
          title="Remove agent"
          onClick={onRemove}
        >
          <IconX size={13} />
        </ActionIcon>
      )}
      {warnings.length > 0 && (
        <div className={styles.agentWarnings}>
          <Warned texts={warnings} />
        </div>
      )}
    </div>
  );
}

function samplesText(fewest: number, most: number): string {
  return fewest === most
    ? `${count(most)} samples a problem`
    : `${count(fewest)} to ${count(most)} a problem`;
}

function lowered(label: string): string {
  return label.charAt(0).toLowerCase() + label.slice(1);
}
