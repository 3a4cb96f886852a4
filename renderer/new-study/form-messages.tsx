import type { Benchmark } from '../../preload/contract/problem';
import type { FieldMessages, Library } from '../shared/agents/index';
import type { CheckedStudy } from './check-study';
import type { FieldId } from './field-errors';
import type { StudyDraft, StudyEdits } from './study-draft';

/** Errors and warnings by field. */
export type FormMessages = FieldMessages<FieldId>;

/** Props of every section of the form. */
export type FormSectionProps = {
  readonly draft: StudyDraft;
  readonly benchmark: Benchmark;
  readonly library: Library;
  readonly checked: CheckedStudy;
  readonly messages: FormMessages;
  readonly change: (part: StudyEdits) => void;
};
