import { Button, Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Disclosure, Section, Select } from '../widgets/index';
import { type FormSectionProps, messageProps } from './form-messages';
import { MESSAGES_BELOW, NO_TRANSITION } from './input-options';
import { isChanged, presetNamed } from './method-draft';
import { MethodChoice, MethodDetails } from './method-fields';
import styles from './new-study.module.css';

/** N that have a meaning of their own. */
const USUAL_NODES = [
  { nodes: '60', word: 'paper', means: "the papers' evaluation" },
  { nodes: '24', word: 'quick', means: 'the quickstart' },
  { nodes: '8', word: 'training', means: "the papers' training trees" },
] as const;

const ORDERS = [
  { value: 'asked', label: 'told in the order of asking' },
  { value: 'arrival', label: 'told as they come' },
] as const;
const READINGS = [
  { value: 'as-program', label: 'as a judge would' },
  { value: 'as-published', label: "as the benchmark's own grader" },
] as const;

/** How is searched, and how long. */
export function SearchFields(props: FormSectionProps) {
  const { draft, benchmark, messages, change } = props;
  const [details, setDetails] = useState(false);
  const [limits, setLimits] = useState(false);
  const changed = isChanged(presetNamed(draft.preset), draft.method, benchmark.scale === 'pocket');
  const typed = (
    field: 'nodes' | 'samplesPerAgent' | 'batch' | 'seeds' | 'treeTokens' | 'treeSeconds',
    label: string,
    title: string,
    placeholder?: string,
  ) => (
    <TextInput
      label={label}
      title={title}
      inputWrapperOrder={MESSAGES_BELOW}
      {...(placeholder === undefined ? {} : { placeholder })}
      inputMode="numeric"
      autoComplete="off"
      value={draft[field]}
      onChange={(event) => change({ [field]: event.currentTarget.value })}
      {...messageProps(messages, field)}
    />
  );
  // A fault must not hide behind a closed lid.
  const limitError = messages.error('treeTokens') ?? messages.error('treeSeconds') ?? messages.error('batch');
  return (
    <Section title="Search">
      <MethodChoice {...props} />
      <Disclosure
        label={changed ? 'Details of the strategy, changed' : 'Details of the strategy'}
        open={details || messages.error('rewardUrl') !== undefined}
        onToggle={() => setDetails(!details)}
      >
        <MethodDetails {...props} />
      </Disclosure>
      <div className={styles.numbers}>
        <div>
          {typed('nodes', 'Nodes per tree (N)', 'Programs that the search may write for a problem')}
          <div className={styles.usual}>
            {USUAL_NODES.map(({ nodes, word, means }) => (
              <Button
                key={nodes}
                variant="subtle"
                size="compact-xs"
                title={`N of ${means}`}
                aria-label={`N = ${nodes}, ${means}`}
                onClick={() => change({ nodes })}
              >
                {nodes} {word}
              </Button>
            ))}
          </div>
        </div>
        {typed(
          'samplesPerAgent',
          'Samples per agent',
          'Independent first attempts beside the tree, for Pass@1 and pass@k; 0 for none',
        )}
        {typed('seeds', 'Seeds', 'Each repeats every configuration, e.g. 1, 2, 3')}
      </div>
      <Disclosure
        label="Limits, parallel trials, grading"
        open={limits || limitError !== undefined}
        onToggle={() => setLimits(!limits)}
      >
        <div className={styles.numbers}>
          {typed(
            'treeTokens',
            'Tokens per tree',
            'A tree ends when its prompts and answers have so many',
            'no limit',
          )}
          {typed('treeSeconds', 'Seconds per tree', 'Writing and grading of its nodes, added up', 'no limit')}
          {typed(
            'batch',
            'Trials together',
            'Trials under way at once in one tree; 1 is the sequential search',
          )}
          <Select
            label="Outcomes of a batch"
            inputWrapperOrder={MESSAGES_BELOW}
            title="In the order of asking the same seed gives the same tree"
            allowDeselect={false}
            comboboxProps={NO_TRANSITION}
            value={draft.order}
            onChange={(value) => {
              const order = ORDERS.find((one) => one.value === value)?.value;
              if (order !== undefined) change({ order });
            }}
            data={[...ORDERS]}
          />
          <Select
            label="Verdicts"
            inputWrapperOrder={MESSAGES_BELOW}
            title="Some published graders are wrong by accident; the number of differing verdicts is shown"
            allowDeselect={false}
            comboboxProps={NO_TRANSITION}
            value={draft.grading}
            onChange={(value) => {
              const grading = READINGS.find((one) => one.value === value)?.value;
              if (grading !== undefined) change({ grading });
            }}
            data={[...READINGS]}
          />
        </div>
        <Checkbox
          size="xs"
          label="End a tree as soon as a program passes all public tests"
          checked={draft.stopWhenSolved}
          onChange={(event) => change({ stopWhenSolved: event.currentTarget.checked })}
        />
      </Disclosure>
    </Section>
  );
}
