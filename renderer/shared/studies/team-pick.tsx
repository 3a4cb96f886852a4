import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { agentPositions } from '../../../preload/contract/plans/index';
import { agentStyle } from '../../theme/index';
import { AgentShapeMark } from '../../widgets/agent-shape';
import type { ExplainedOption } from '../../widgets/explained-choice';
import { FormError } from '../../widgets/form';
import styles from './team-pick.module.css';

/** The ordered members of a team; a kind may occur more than once. */
export function TeamPicker(props: {
  readonly label: string;
  /** false: the label is for a screen reader alone, and the button to add is small. */
  readonly showLabel?: boolean;
  readonly options: readonly ExplainedOption[];
  readonly members: readonly string[];
  readonly most: number;
  readonly error: string | undefined;
  readonly onChange: (members: readonly string[]) => void;
}) {
  const { label, showLabel = true, options, members, most, error, onChange } = props;
  const team = { configuration: label, agents: members.map((name) => ({ name })) };
  const positions = agentPositions([team]).get(label) ?? [];
  return (
    <div className={showLabel ? styles.field : undefined}>
      {showLabel && <div className={styles.label}>{label}</div>}
      <fieldset className={styles.team} aria-label={label}>
        {members.map((member, at) => {
          const before = members.slice(0, at).filter((earlier) => earlier === member).length;
          const name = before === 0 ? member : `${member} ${before + 1}`;
          return (
            <span key={name} className={styles.member}>
              <AgentShapeMark agent={agentStyle(positions[at] ?? at)} size={10} />
              {name}
              <ActionIcon
                size={18}
                aria-label={`Remove ${name} from ${label.toLowerCase()}`}
                onClick={() => onChange(members.filter((_, other) => other !== at))}
              >
                <IconX size={11} aria-hidden="true" />
              </ActionIcon>
            </span>
          );
        })}
        {members.length < most && (
          <Menu position="bottom-start" transitionProps={{ duration: 0 }}>
            <Menu.Target>
              {showLabel ? (
                <Button
                  variant="subtle"
                  size="compact-xs"
                  aria-label={`Add to ${label.toLowerCase()}`}
                  leftSection={<IconPlus size={13} aria-hidden="true" />}
                >
                  Add
                </Button>
              ) : (
                <ActionIcon size={24} aria-label={`Add to ${label.toLowerCase()}`} title="Add an agent">
                  <IconPlus size={13} aria-hidden="true" />
                </ActionIcon>
              )}
            </Menu.Target>
            <Menu.Dropdown>
              {options.map(({ value, label: name, line }) => (
                <Menu.Item key={value} onClick={() => onChange([...members, value])}>
                  <span className={styles.option}>
                    <b>{name}</b>
                    <span>
                      {line}
                      {members.includes(value) &&
                        ' Adding it again adds another policy with its own pre-training.'}
                    </span>
                  </span>
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </fieldset>
      <FormError text={error} />
    </div>
  );
}
