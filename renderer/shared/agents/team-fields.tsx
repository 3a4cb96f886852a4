import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { Benchmark } from '../../../preload/contract/problem';
import { AgentFields } from './agent-fields';
import type { AgentChoice, Library, TeamDraft } from './agents';
import styles from './agents.module.css';
import type { FieldMessages } from './messages';
import { nextAgent } from './next-agent';

/** The agents of one team. */
export function TeamFields(props: {
  /** What the team is of, e.g. "configuration 2". */
  readonly label: string;
  readonly team: TeamDraft;
  /** Of its agents' marks (`agentStyle`); left out: in their order. */
  readonly positions?: readonly number[];
  readonly benchmark: Benchmark;
  readonly library: Library;
  readonly messages: FieldMessages;
  readonly onChange: (agents: readonly AgentChoice[]) => void;
}) {
  const { label, team, positions = [], benchmark, library, messages, onChange } = props;
  const { key, agents } = team;
  const error = messages.error(`${key} team`);
  return (
    <div className={styles.team}>
      {agents.map((agent, at) => (
        <AgentFields
          // Agents have no id: the form edits a position in the team.
          key={at}
          label={`Agent ${at + 1} of ${label}`}
          configuration={key}
          at={at}
          position={positions[at] ?? at}
          team={agents}
          agent={agent}
          benchmark={benchmark}
          library={library}
          messages={messages}
          onChange={(next) => onChange(agents.map((choice, index) => (index === at ? next : choice)))}
          onRemove={agents.length > 1 ? () => onChange(agents.filter((_, index) => index !== at)) : undefined}
        />
      ))}
      {error !== undefined && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      <Button
        variant="subtle"
        size="compact-xs"
        className={styles.addAgent}
        aria-label={`Add an agent to ${label}`}
        leftSection={<IconPlus size={12} aria-hidden="true" />}
        onClick={() => onChange([...agents, nextAgent(agents, benchmark.id, library)])}
      >
        Add an agent
      </Button>
    </div>
  );
}
