import { Button, Checkbox, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Refusal } from '../../preload/contract/refusal';
import type { TrainingView } from '../../preload/contract/training';
import { readyValue, useBenchmarks, useTrainings, useWorkbench } from '../state/index';
import { count, Dialog, FormRefusal, plural, Select, SubmitByKey, usePress } from '../widgets/index';
import { AddCheckpoint, SelectedCheckpoints } from './checkpoint-picker';
import styles from './checkpoints.module.css';
import {
  type CheckpointRef,
  checkEvaluation,
  defaultBenchmark,
  type EvaluateDraft,
  evaluationCost,
  evaluationName,
  fittingBenchmarks,
  MAX_CHECKPOINTS,
} from './evaluate-draft';

/** Creates a study of checkpoints: each alone, optionally also as a team. `comparing`: opens with a field to add another. */
export function EvaluateDialog(props: {
  readonly training: TrainingView;
  readonly first: readonly CheckpointRef[];
  readonly comparing: boolean;
  readonly onClose: () => void;
}) {
  const { training, comparing, onClose } = props;
  const { trainings } = useWorkbench();
  const isPocket = training.scale === 'pocket';
  const benchmarks = readyValue(useBenchmarks()) ?? [];
  const fitting = fittingBenchmarks(benchmarks, isPocket);
  const [picked, setPicked] = useState(props.first);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isTried, setIsTried] = useState(false);
  const [touched, setTouched] = useState<Partial<EvaluateDraft>>({});
  const all = readyValue(useTrainings()) ?? [];
  const names = picked.map(
    ({ trainingId }) => all.find(({ id }) => id === trainingId)?.name ?? training.name,
  );
  const draft: EvaluateDraft = {
    name: evaluationName(names, picked.length),
    benchmarkId: defaultBenchmark(benchmarks, isPocket)?.id ?? '',
    problems: '',
    nodes: '60',
    samples: '8',
    team: picked.length > 1 && !comparing,
    ...touched,
  };
  const benchmark = fitting.find(({ id }) => id === draft.benchmarkId) ?? null;
  const check = checkEvaluation(draft, picked, benchmark);
  const errors = isTried && !check.ok ? check.errors : {};
  const change = (part: Partial<EvaluateDraft>): void => setTouched({ ...touched, ...part });
  const { busy, press } = usePress(async () => {
    setIsTried(true);
    if (!check.ok) return;
    const refused = await trainings.evaluate(check.request);
    setRefusal(refused);
    if (refused === null) onClose();
  });
  return (
    <Dialog
      opened
      onClose={onClose}
      title={comparing ? 'Compare checkpoints' : 'Evaluate checkpoints'}
      size="lg"
      withCloseButton={false}
    >
      <SubmitByKey busy={busy} onSubmit={press}>
        <SelectedCheckpoints
          picked={picked}
          onRemove={(removed) => setPicked(picked.filter((checkpoint) => checkpoint !== removed))}
          isRemovable={picked.length > 1}
        />
        {picked.length < MAX_CHECKPOINTS && (
          <AddCheckpoint
            training={training}
            picked={picked}
            isOpen={comparing}
            onAdd={(checkpoint) => setPicked([...picked, checkpoint])}
          />
        )}
        <BenchmarkSelect
          options={fitting}
          value={draft.benchmarkId}
          error={errors.benchmarkId}
          onChange={(benchmarkId) => change({ benchmarkId })}
        />
        <div className={styles.numbers}>
          <TextInput
            label="Problems"
            inputMode="numeric"
            autoComplete="off"
            placeholder={benchmark === null ? 'all' : `all ${count(benchmark.problems)}`}
            value={draft.problems}
            error={errors.problems}
            onChange={(event) => change({ problems: event.currentTarget.value })}
          />
          <TextInput
            label="Nodes per tree (N)"
            inputMode="numeric"
            autoComplete="off"
            value={draft.nodes}
            error={errors.nodes}
            onChange={(event) => change({ nodes: event.currentTarget.value })}
          />
          <TextInput
            label="Samples per agent"
            inputMode="numeric"
            autoComplete="off"
            value={draft.samples}
            error={errors.samples}
            onChange={(event) => change({ samples: event.currentTarget.value })}
          />
        </div>
        <Checkbox
          label="Also as one team, in shared trees"
          checked={draft.team && picked.length > 1}
          disabled={picked.length < 2}
          onChange={(event) => change({ team: event.currentTarget.checked })}
        />
        <TextInput
          mt="sm"
          label="Name of the study"
          autoComplete="off"
          value={draft.name}
          error={errors.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        {check.ok && benchmark !== null && (
          <p className={styles.cost}>{evaluationCost(check.request, benchmark.problems)}</p>
        )}
        {refusal !== null && (
          <FormRefusal title="The study was not created" message={refusal.message} hint={refusal.hint} />
        )}
        <Group justify="flex-end" gap="sm" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button data-autofocus={!comparing || undefined} loading={busy} onClick={press}>
            Run study
          </Button>
        </Group>
      </SubmitByKey>
    </Dialog>
  );
}

function BenchmarkSelect(props: {
  readonly options: ReturnType<typeof fittingBenchmarks>;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (benchmarkId: string) => void;
}) {
  const { options } = props;
  return (
    <Select
      label="Benchmark"
      aria-label="Benchmark"
      allowDeselect={false}
      searchable
      openOnFocus={false}
      comboboxProps={{ transitionProps: { duration: 0 } }}
      value={props.value}
      error={props.error}
      nothingFoundMessage="No benchmark found"
      placeholder={options.length === 0 ? 'No suitable benchmark; import one first' : 'Benchmark'}
      data={options.map(({ id, name, problems }) => ({
        value: id,
        label: `${name} (${plural(problems, 'problem')})`,
      }))}
      onChange={(value) => props.onChange(value ?? '')}
    />
  );
}
