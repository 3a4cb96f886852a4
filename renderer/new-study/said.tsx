import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Benchmark } from '../../preload/contract/problem';
import type { Library } from './agents';
import type { CheckedDraft, Spot } from './check';
import type { StudyDraft, Touched } from './draft';
import styles from './new-study.module.css';

/** What is said at a place of the form. */
export type Said = {
  readonly fault: (at: Spot) => string | undefined;
  readonly warnings: (at: Spot) => readonly string[];
};

/** What every part of the form is given. */
export type FormPart = {
  readonly draft: StudyDraft;
  readonly benchmark: Benchmark;
  readonly library: Library;
  readonly checked: CheckedDraft;
  readonly said: Said;
  readonly change: (part: Touched) => void;
};

/** Properties of an input: its fault, and its warnings below it. */
export function saidAt(said: Said, at: Spot): { readonly error: ReactNode; readonly description: ReactNode } {
  const warnings = said.warnings(at);
  return {
    error: said.fault(at),
    description: warnings.length === 0 ? undefined : <Warned texts={warnings} />,
  };
}

export function Warned(props: { readonly texts: readonly string[] }) {
  return props.texts.map((text) => (
    <span key={text} className={styles.warned}>
      <IconAlertTriangle size={12} aria-hidden="true" />
      {text}
    </span>
  ));
}
