import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { plural, ScaleTag, Section } from '../widgets/index';
import { studyName, type Touched, withBenchmark } from './draft';
import styles from './new-study.module.css';
import { type FormPart, saidAt } from './said';

const STRATEGIES = [
  { value: 'repeated', label: 'Repeated sampling' },
  { value: 'ab-mcts-a', label: 'AB-MCTS-A' },
] as const;
const BELIEFS = [
  { value: 'beta', label: 'Beta' },
  { value: 'gaussian', label: 'Gaussian' },
] as const;
const SELECTIONS = [
  { value: 'thompson', label: 'Thompson, node first' },
  { value: 'ucb', label: 'UCB, node first' },
  { value: 'stack', label: 'Stack, agent first' },
] as const;

/** Messages stand below their input, so that inputs of one line stay in line. */
const ORDER: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'error', 'description'];
const STILL = { transitionProps: { duration: 0 } };

/** What is searched and how. */
export function SearchFields(
  props: FormPart & { readonly touched: Touched; readonly onTouched: (touched: Touched) => void },
) {
  const { draft, benchmark, library, said, change, touched, onTouched } = props;
  const typed = (
    field: 'problems' | 'nodes' | 'samplesPerAgent' | 'batch' | 'seeds',
    label: string,
    title: string,
    placeholder?: string,
  ) => (
    <TextInput
      label={label}
      title={title}
      inputWrapperOrder={ORDER}
      {...(placeholder === undefined ? {} : { placeholder })}
      inputMode="numeric"
      autoComplete="off"
      value={draft[field]}
      onChange={(event) => change({ [field]: event.currentTarget.value })}
      {...saidAt(said, field)}
    />
  );
  return (
    <>
      <Section title="Problems" aside={<ScaleTag scale={benchmark.scale} />}>
        <div className={styles.problems}>
          <Select
            label="Benchmark"
            inputWrapperOrder={ORDER}
            allowDeselect={false}
            comboboxProps={STILL}
            value={benchmark.id}
            onChange={(id) => id !== null && onTouched(withBenchmark(touched, benchmark.id, id))}
            data={library.benchmarks.map(({ id, name, problems }) => ({
              value: id,
              label: `${name} (${plural(problems, 'problem')})`,
            }))}
          />
          {typed('problems', 'First problems', 'Only the first so many; all when empty', 'all')}
          <TextInput
            label="Name of the study"
            inputWrapperOrder={ORDER}
            placeholder={studyName({ ...draft, name: '' }, library)}
            value={draft.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            {...saidAt(said, 'name')}
          />
        </div>
      </Section>
      <Section title="Search">
        <div className={styles.strategy}>
          <SegmentedControl
            aria-label="Strategy"
            value={draft.strategy}
            onChange={(value) => {
              const strategy = STRATEGIES.find((one) => one.value === value)?.value;
              if (strategy !== undefined) change({ strategy });
            }}
            data={[...STRATEGIES]}
          />
          {draft.strategy === 'repeated' ? (
            <span className={styles.soft}>
              Only first attempts, agents in turn; the best public score wins.
            </span>
          ) : (
            <>
              <Select
                aria-label="Beliefs"
                title="How the worth of a node is believed"
                w={110}
                allowDeselect={false}
                comboboxProps={STILL}
                value={draft.beliefs}
                onChange={(value) => {
                  const beliefs = BELIEFS.find((one) => one.value === value)?.value;
                  if (beliefs !== undefined) change({ beliefs });
                }}
                data={[...BELIEFS]}
              />
              <Select
                aria-label="Selection"
                title="Who is chosen when"
                w={170}
                allowDeselect={false}
                comboboxProps={STILL}
                value={draft.selection}
                onChange={(value) => {
                  const selection = SELECTIONS.find((one) => one.value === value)?.value;
                  if (selection !== undefined) change({ selection });
                }}
                data={[...SELECTIONS]}
              />
              <span className={styles.soft}>First attempts and refinements, as a tree.</span>
            </>
          )}
        </div>
        <div className={styles.numbers}>
          {typed('nodes', 'Nodes per tree (N)', 'Programs that the search may write for a problem')}
          {typed(
            'samplesPerAgent',
            'Samples per agent',
            'Independent first attempts beside the tree, for Pass@1 and pass@k; 0 for none',
          )}
          {typed(
            'batch',
            'Trials together',
            'Trials under way at once in one tree; 1 is the sequential search',
          )}
          {typed('seeds', 'Seeds', 'Each repeats every configuration, e.g. 1, 2, 3')}
        </div>
      </Section>
    </>
  );
}
