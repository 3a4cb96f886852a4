import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Benchmark } from '../../preload/contract/problem';
import type { Library } from './agents';
import type { CheckedStudy } from './check-study';
import type { FieldId } from './field-errors';
import styles from './new-study.module.css';
import type { StudyDraft, StudyEdits } from './study-draft';

/** Errors and warnings by field. */
export type FormMessages = {
  readonly error: (at: FieldId) => string | undefined;
  readonly warnings: (at: FieldId) => readonly string[];
};

/** Props of every section of the form. */
export type FormSectionProps = {
  readonly draft: StudyDraft;
  readonly benchmark: Benchmark;
  readonly library: Library;
  readonly checked: CheckedStudy;
  readonly messages: FormMessages;
  readonly change: (part: StudyEdits) => void;
};

/** Props of an input: its error, and its warnings as description. */
export function messageProps(
  messages: FormMessages,
  at: FieldId,
): { readonly error: ReactNode; readonly description: ReactNode } {
  const warnings = messages.warnings(at);
  return {
    error: messages.error(at),
    description: warnings.length === 0 ? undefined : <Warnings texts={warnings} />,
  };
}

export function Warnings(props: { readonly texts: readonly string[] }) {
  return props.texts.map((text) => (
    <span key={text} className={styles.warned}>
      <IconAlertTriangle size={12} aria-hidden="true" />
      {text}
    </span>
  ));
}
