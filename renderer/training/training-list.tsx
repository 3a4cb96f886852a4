import { type ReactNode, useMemo } from 'react';
import type { TrainingView } from '../../preload/contract/training';
import {
  readyValue,
  trainingRowActions,
  useExperiments,
  useMachines,
  useStoredState,
  useWorkbench,
} from '../state/index';
import { trainingStatus } from '../text/trainings';
import {
  DataTable,
  FilterBar,
  FilteredRows,
  FilterGroups,
  FilterSelect,
  FilterText,
  Screen,
} from '../widgets/index';
import { trainingColumns } from './training-columns';
import { filterTrainings, groupCounts, TRAINING_GROUPS, type TrainingGroup } from './training-filters';

const GROUP_LABELS: Readonly<Record<TrainingGroup, string>> = {
  all: 'All',
  active: 'Active',
  done: 'Done',
  stopped: 'Stopped',
  failed: 'Failed',
};
const ROW = 34;

/** The list of trainings with its filters. */
export function TrainingList(props: {
  readonly trainings: readonly TrainingView[];
  readonly frame: { readonly title: string; readonly aside: ReactNode; readonly actions: ReactNode };
}) {
  const { trainings, frame } = props;
  const workbench = useWorkbench();
  const { location } = workbench;
  const machines = readyValue(useMachines());
  const experiments = readyValue(useExperiments()) ?? [];
  const [group, setGroup] = useStoredState<TrainingGroup>('trainings.group', 'all', groupNamed);
  const [rememberedExperiment, setExperiment] = useStoredState<string>(
    'trainings.experiment',
    '',
    (text) => text,
  );
  const [text, setText] = useStoredState<string>('trainings.text', '', (stored) => stored);
  const parts = [...new Set(trainings.flatMap(({ experimentId }) => experimentId ?? []))];
  // Ignore a remembered experiment without trainings: it would hide everything.
  const experimentId = parts.includes(rememberedExperiment) ? rememberedExperiment : '';
  const counts = groupCounts(filterTrainings(trainings, { group: 'all', experimentId, text }));
  const rows = useMemo(
    () => filterTrainings(trainings, { group, experimentId, text }),
    [trainings, group, experimentId, text],
  );
  const columns = useMemo(() => {
    const names = new Map(machines?.map(({ spec }) => [spec.id, spec.name]) ?? []);
    return trainingColumns((machineId) => names.get(machineId) ?? machineId);
  }, [machines]);
  const nameOf = (id: string): string =>
    experiments.find((experiment) => experiment.id === id)?.order.name ?? id;
  return (
    <Screen
      {...frame}
      fill
      below={
        <FilterBar>
          <FilterGroups
            value={group}
            groups={TRAINING_GROUPS}
            labels={GROUP_LABELS}
            counts={counts}
            onChange={setGroup}
          />
          {parts.length > 0 && (
            <FilterSelect
              label="Experiment"
              width={230}
              value={experimentId}
              options={[
                { value: '', label: 'All experiments' },
                ...parts.map((value) => ({ value, label: nameOf(value) })),
              ]}
              onChange={setExperiment}
            />
          )}
          <FilterText where="Name, method, agent, id" value={text} onChange={setText} />
        </FilterBar>
      }
    >
      <FilteredRows
        shown={rows.length}
        total={trainings.length}
        nouns="trainings"
        onShowAll={() => {
          setGroup('all');
          setExperiment('');
          setText('');
        }}
      >
        <DataTable
          label="Trainings"
          columns={columns}
          rows={rows}
          rowHeight={ROW}
          rowKey={({ id }) => id}
          rowLabel={(training) => `${training.name}: ${trainingStatus(training).text}`}
          onChoose={({ id }) => location.go({ kind: 'training', trainingId: id, tab: 'curves' })}
          rowActions={(training) => trainingRowActions(workbench, training)}
        />
      </FilteredRows>
    </Screen>
  );
}

function groupNamed(text: string): TrainingGroup | null {
  return TRAINING_GROUPS.find((group) => group === text) ?? null;
}
