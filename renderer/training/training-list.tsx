import { Button, SegmentedControl, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import type { TrainingView } from '../../preload/contract/training';
import {
  readyValue,
  trainingWords,
  useExperiments,
  useMachines,
  useRemembered,
  useWorkbench,
} from '../state/index';
import { count, DataTable, EmptyState, Screen } from '../widgets/index';
import styles from './training.module.css';
import { trainingColumns } from './training-columns';
import { groupCounts, TRAINING_GROUPS, type TrainingGroup, wishedTrainings } from './training-filters';

const GROUP_WORDS: Readonly<Record<TrainingGroup, string>> = {
  all: 'All',
  active: 'Active',
  done: 'Done',
  stopped: 'Stopped',
  failed: 'Failed',
};
const ROW = 34;

/** The trainings with what narrows them down. */
export function TrainingList(props: {
  readonly trainings: readonly TrainingView[];
  readonly frame: { readonly title: string; readonly aside: ReactNode; readonly actions: ReactNode };
}) {
  const { trainings, frame } = props;
  const { location } = useWorkbench();
  const machines = readyValue(useMachines());
  const experiments = readyValue(useExperiments()) ?? [];
  const [group, setGroup] = useRemembered<TrainingGroup>('trainings.group', 'all', groupNamed);
  const [wished, setExperiment] = useRemembered<string>('trainings.experiment', '', (text) => text);
  const [text, setText] = useRemembered<string>('trainings.text', '', (known) => known);
  const parts = [...new Set(trainings.flatMap(({ experimentId }) => experimentId ?? []))];
  // A filter by an experiment whose last training is gone would hide everything without a word.
  const experimentId = parts.includes(wished) ? wished : '';
  const counts = groupCounts(wishedTrainings(trainings, { group: 'all', experimentId, text }));
  const rows = useMemo(
    () => wishedTrainings(trainings, { group, experimentId, text }),
    [trainings, group, experimentId, text],
  );
  const columns = useMemo(() => {
    const names = new Map(machines?.map(({ spec }) => [spec.id, spec.name]) ?? []);
    return trainingColumns((machineId) => names.get(machineId) ?? machineId);
  }, [machines]);
  const nameOf = (id: string): string => experiments.find((one) => one.id === id)?.order.name ?? id;
  return (
    <Screen
      {...frame}
      fill
      below={
        <div className={styles.filters}>
          <SegmentedControl
            aria-label="State"
            value={group}
            onChange={(value) => setGroup(groupNamed(value) ?? 'all')}
            data={TRAINING_GROUPS.map((value) => ({
              value,
              label: `${GROUP_WORDS[value]} ${count(counts[value])}`,
            }))}
          />
          {parts.length > 0 && (
            <Select
              aria-label="Experiment"
              w={230}
              allowDeselect={false}
              comboboxProps={{ transitionProps: { duration: 0 } }}
              value={experimentId}
              data={[
                { value: '', label: 'Every experiment, and none' },
                ...parts.map((value) => ({ value, label: nameOf(value) })),
              ]}
              onChange={(value) => setExperiment(value ?? '')}
            />
          )}
          <TextInput
            aria-label="Filter by words"
            placeholder="Name, method, agent, id"
            w={230}
            autoComplete="off"
            spellCheck={false}
            leftSection={<IconSearch size={13} aria-hidden="true" />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </div>
      }
    >
      {rows.length === 0 ? (
        <div className={styles.padded}>
          <EmptyState
            title={`None of the ${count(trainings.length)} trainings is like that`}
            action={
              <Button
                variant="default"
                onClick={() => {
                  setGroup('all');
                  setExperiment('');
                  setText('');
                }}
              >
                Show all
              </Button>
            }
          />
        </div>
      ) : (
        <div className={styles.table}>
          <DataTable
            label="Trainings"
            columns={columns}
            rows={rows}
            rowHeight={ROW}
            rowKey={({ id }) => id}
            rowLabel={(training) => `${training.name}: ${trainingWords(training).words}`}
            onChoose={({ id }) => location.go({ kind: 'training', trainingId: id, tab: 'curves' })}
          />
        </div>
      )}
    </Screen>
  );
}

function groupNamed(text: string): TrainingGroup | null {
  return TRAINING_GROUPS.find((one) => one === text) ?? null;
}
