import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './agents.module.css';

/** A field of the agents of a team, whose number comes first, that messages belong to; last the place of the agent. */
export type AgentFieldId =
  | `${number} team`
  | `${number} agent ${number}`
  | `${number} address ${number}`
  | `${number} model ${number}`
  | `${number} details ${number}`;

/** missing: shown only after the user tries to go on; wrong: shown at once. */
export type FieldError<At = AgentFieldId> = {
  readonly at: At;
  readonly kind: 'missing' | 'wrong';
  readonly message: string;
};

/** Errors and warnings by field. */
export type FieldMessages<At = AgentFieldId> = {
  readonly error: (at: At) => string | undefined;
  readonly warnings: (at: At) => readonly string[];
};

/** Props of an input: its error, and its warnings as description. */
export function messageProps<At>(
  messages: FieldMessages<At>,
  at: At,
): { readonly error: ReactNode; readonly description: ReactNode } {
  const warnings = messages.warnings(at);
  return {
    error: messages.error(at),
    description: warnings.length === 0 ? undefined : <Warnings texts={warnings} />,
  };
}

export function Warnings(props: { readonly texts: readonly string[] }) {
  return props.texts.map((text) => (
    <span key={text} className={styles.warned} data-warned>
      <IconAlertTriangle size={12} aria-hidden="true" />
      {text}
    </span>
  ));
}
