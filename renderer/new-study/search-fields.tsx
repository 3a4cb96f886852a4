import { Button, Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { searchSweepSettings } from '../../preload/contract/plans/index';
import { MESSAGES_BELOW, messageProps, NO_TRANSITION } from '../shared/agents/index';
import { GRADING_MODES, ORDERS, SEARCH_LABELS } from '../text/search-settings';
import { Disclosure, FormError, Section, Select, ValueLists } from '../widgets/index';
import { enteredNodes, shownLists } from './check-variants';
import type { FormSectionProps } from './form-messages';
import { isChanged, presetNamed } from './method-draft';
import { MethodChoice, MethodDetails } from './method-fields';
import styles from './new-study.module.css';

/** A common value of a field, as a button below it. */
type QuickValue = { readonly value: string; readonly label: string; readonly means: string };

/** Common values of N. */
const USUAL_NODES: readonly QuickValue[] = [
  { value: '60', label: '60 paper', means: "N = 60, the papers' evaluation" },
  { value: '24', label: '24 quick', means: 'N = 24, the quickstart' },
  { value: '8', label: '8 training', means: "N = 8, the papers' training trees" },
];

/** Common numbers of seeds: the field lists which seeds, these say how many. */
const USUAL_SEEDS: readonly QuickValue[] = [
  { value: '1', label: '1 seed', means: '1 run per configuration' },
  { value: '1-3', label: '3 seeds', means: '3 runs per configuration, with seeds 1 to 3' },
  { value: '1-5', label: '5 seeds', means: '5 runs per configuration, with seeds 1 to 5' },
];

/** Strategy, budget, seeds and grading. */
export function SearchFields(props: FormSectionProps) {
  const { draft, benchmark, messages, change } = props;
  const [details, setDetails] = useState(false);
  const [limits, setLimits] = useState(false);
  const [values, setValues] = useState(false);
  const varied = shownLists(draft.sweep, draft.method).length > 0;
  const changed = isChanged(presetNamed(draft.preset), draft.method, benchmark.scale === 'pocket');
  const input = (
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
  // Stays open while it contains an error.
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
          {enteredNodes(draft).isVaried ? (
            <TextInput
              label={SEARCH_LABELS.nodes}
              inputWrapperOrder={MESSAGES_BELOW}
              disabled
              value=""
              placeholder="varied below"
            />
          ) : (
            <>
              {input('nodes', SEARCH_LABELS.nodes, 'Programs that the search writes per problem')}
              <QuickValues values={USUAL_NODES} onChoose={(nodes) => change({ nodes })} />
            </>
          )}
        </div>
        {input(
          'samplesPerAgent',
          SEARCH_LABELS.samplesPerAgent,
          'Independent first attempts besides the tree, for Pass@1 and pass@k; 0 for none',
        )}
        <div>
          {input('seeds', 'Seeds', 'Every configuration runs once per seed, e.g. 1, 2, 3 or 1-3')}
          <QuickValues values={USUAL_SEEDS} onChoose={(seeds) => change({ seeds })} />
        </div>
      </div>
      <Disclosure
        label={varied ? 'Several values, set' : 'Several values'}
        open={values || varied}
        onToggle={() => setValues(!values)}
      >
        <p className={styles.soft}>
          Each configuration is searched with every combination of the values. All of them ask the same model
          servers. Servers of saved launches start together. On a Slurm cluster, launches that request the
          same are one job array.
        </p>
        <ValueLists
          settings={searchSweepSettings(draft.method)}
          lists={shownLists(draft.sweep, draft.method)}
          errorAt={(id) => messages.error(`sweep ${id}`)}
          onChange={(sweep) => change({ sweep })}
        />
        <FormError text={messages.error('sweep')} />
      </Disclosure>
      <Disclosure
        label="Limits, parallel trials, grading"
        open={limits || limitError !== undefined}
        onToggle={() => setLimits(!limits)}
      >
        <div className={styles.numbers}>
          {input('treeTokens', 'Tokens per tree', 'Limit of prompt and completion tokens', 'no limit')}
          {input(
            'treeSeconds',
            'Seconds per tree',
            'Limit of generation and grading time, summed over nodes',
            'no limit',
          )}
          {input(
            'batch',
            SEARCH_LABELS.batch,
            'Trials running at once in one tree; 1 is the sequential search',
          )}
          <Select
            label={SEARCH_LABELS.order}
            inputWrapperOrder={MESSAGES_BELOW}
            title="In request order the same seed gives the same tree"
            allowDeselect={false}
            comboboxProps={NO_TRANSITION}
            value={draft.order}
            onChange={(value) => {
              const order = ORDERS.find((order) => order.value === value)?.value;
              if (order !== undefined) change({ order });
            }}
            data={[...ORDERS]}
          />
          <Select
            label={SEARCH_LABELS.grading}
            inputWrapperOrder={MESSAGES_BELOW}
            title="Some published graders contain bugs; the study shows how many verdicts differ"
            allowDeselect={false}
            comboboxProps={NO_TRANSITION}
            value={draft.grading}
            onChange={(value) => {
              const grading = GRADING_MODES.find((mode) => mode.value === value)?.value;
              if (grading !== undefined) change({ grading });
            }}
            data={[...GRADING_MODES]}
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

function QuickValues(props: {
  readonly values: readonly QuickValue[];
  readonly onChoose: (value: string) => void;
}) {
  return (
    <div className={styles.usual}>
      {props.values.map(({ value, label, means }) => (
        <Button
          key={value}
          variant="subtle"
          size="compact-xs"
          title={means}
          onClick={() => props.onChoose(value)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}
