import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { pastedProblemIds } from '../../preload/contract/plans/index';
import type { Benchmark } from '../../preload/contract/problem';
import { Fields, plural, Select, WideField } from '../widgets/index';
import type { ProblemsDraft } from './model-draft';

const ORDER: ('label' | 'input' | 'error' | 'description')[] = ['label', 'input', 'error', 'description'];

/** A benchmark of the library, and which of its problems. */
export function ProblemFields(props: {
  readonly label: string;
  readonly idsLabel: string;
  readonly problems: ProblemsDraft;
  readonly benchmarks: readonly Benchmark[];
  readonly error: string | undefined;
  readonly onChange: (problems: ProblemsDraft) => void;
  /** Fields beside the benchmark. */
  readonly children?: ReactNode;
}) {
  const { problems, benchmarks, onChange } = props;
  const ids = pastedProblemIds(problems.ids).length;
  const benchmark = benchmarks.find(({ id }) => id === problems.benchmarkId);
  return (
    <Fields>
      <Select
        label={props.label}
        inputWrapperOrder={ORDER}
        allowDeselect={false}
        comboboxProps={{ transitionProps: { duration: 0 } }}
        placeholder="Choose a benchmark"
        error={props.error}
        description={benchmark?.notes.join('; ')}
        value={problems.benchmarkId}
        data={benchmarks.map(({ id, name, problems: count }) => ({
          value: id,
          label: `${name} (${plural(count, 'problem')})`,
        }))}
        onChange={(benchmarkId) => onChange({ ...problems, benchmarkId })}
      />
      {props.children}
      <WideField mono={problems.ids !== ''}>
        <Textarea
          size="xs"
          label={props.idsLabel}
          description={ids === 0 ? 'Paste ids, one a line; empty: all.' : plural(ids, 'problem')}
          inputWrapperOrder={ORDER}
          placeholder="all problems with tests"
          autosize
          minRows={1}
          maxRows={6}
          spellCheck={false}
          value={problems.ids}
          onChange={(event) => onChange({ ...problems, ids: event.currentTarget.value })}
        />
      </WideField>
    </Fields>
  );
}
