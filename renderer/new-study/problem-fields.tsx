import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { MESSAGES_BELOW, messageProps, NO_TRANSITION } from '../shared/agents/index';
import { BenchmarkTag } from '../shared/studies/index';
import { SEARCH_LABELS } from '../text/search-settings';
import { MAX_NOTE_LENGTH } from '../text/studies';
import { plural, Section, Select } from '../widgets/index';
import type { FormSectionProps } from './form-messages';
import styles from './new-study.module.css';
import { type StudyEdits, studyName, withBenchmark } from './study-draft';

/** Benchmark, problems and name; of a copied study also its note. */
export function ProblemFields(
  props: FormSectionProps & { readonly edits: StudyEdits; readonly onEdits: (edits: StudyEdits) => void },
) {
  const { draft, benchmark, library, checked, messages, change, edits, onEdits } = props;
  // Imports of earlier versions may have one name.
  const isNameShared = (name: string): boolean =>
    library.benchmarks.filter((other) => other.name === name).length > 1;
  const untested = checked.untested.problems;
  const excluded = benchmark.marks.filter(({ exclude }) => exclude).length;
  const input = (field: 'problems' | 'from' | 'to', label: string, title: string, placeholder: string) => (
    <TextInput
      label={label}
      title={title}
      inputWrapperOrder={MESSAGES_BELOW}
      placeholder={placeholder}
      inputMode="numeric"
      autoComplete="off"
      value={draft[field]}
      onChange={(event) => change({ [field]: event.currentTarget.value })}
      {...messageProps(messages, field === 'problems' ? field : 'days')}
    />
  );
  return (
    <Section title="Problems" aside={<BenchmarkTag scale={benchmark.scale} />}>
      <div className={styles.problems}>
        <Select
          label={SEARCH_LABELS.benchmark}
          inputWrapperOrder={MESSAGES_BELOW}
          allowDeselect={false}
          comboboxProps={NO_TRANSITION}
          value={benchmark.id}
          onChange={(id) => id !== null && onEdits(withBenchmark(edits, benchmark.id, id))}
          data={library.benchmarks.map(({ id, name, problems }) => ({
            value: id,
            label: `${name} (${isNameShared(name) ? `${id}, ` : ''}${plural(problems, 'problem')})`,
          }))}
        />
        {input('problems', 'First problems', 'Only the first N problems; empty for all', 'all')}
        <TextInput
          className={styles.name}
          label="Name of the study"
          inputWrapperOrder={MESSAGES_BELOW}
          placeholder={studyName({ ...draft, name: '' }, library)}
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          {...messageProps(messages, 'name')}
        />
        {draft.note !== null && (
          <Textarea
            style={{ gridColumn: '1 / -1' }}
            label="Note"
            autosize
            maxRows={6}
            maxLength={MAX_NOTE_LENGTH}
            value={draft.note}
            onChange={(event) => change({ note: event.currentTarget.value })}
          />
        )}
        {benchmark.rules === 'livecodebench' && (
          <div className={styles.days}>
            {input('from', 'Contests from', 'First day, inclusive', '2025-01-01')}
            {input('to', 'to', 'Last day, inclusive', 'today')}
          </div>
        )}
      </div>
      {excluded > 0 && (
        <Checkbox
          className={styles.excluded}
          size="xs"
          label={`Include ${plural(excluded, 'excluded problem')}`}
          checked={draft.includeExcluded}
          onChange={(event) => change({ includeExcluded: event.currentTarget.checked })}
        />
      )}
      {untested > 0 && (
        <Checkbox
          className={styles.excluded}
          size="xs"
          label={`Leave out ${plural(untested, 'problem')} without public tests`}
          checked={draft.needsPublicTests}
          onChange={(event) => change({ needsPublicTests: event.currentTarget.checked })}
        />
      )}
    </Section>
  );
}
