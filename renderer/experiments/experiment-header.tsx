import { Button, Menu } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import type { ExperimentView } from '../../preload/contract/experiment';
import { experimentEvaluation, experimentUpdates } from '../../preload/contract/plans/index';
import { ExportButton, useExport } from '../shared/reports/index';
import { usePendingExperimentAction, useWorkbench } from '../state/index';
import { experimentStatus } from '../text/trainings';
import {
  ConfirmDialog,
  count,
  FactLine,
  MoreMenu,
  ProgressHead,
  plural,
  roughDuration,
  usePress,
} from '../widgets/index';

/** The actions that the experiment's state allows. */
export function ExperimentButtons(props: {
  readonly view: ExperimentView;
  readonly dialog: 'export' | undefined;
}) {
  const { view, dialog } = props;
  const { id, state, order } = view;
  const isForeign = view.fromBundle !== undefined;
  const { experiments, location } = useWorkbench();
  const pendingAction = usePendingExperimentAction(id);
  const [removing, setRemoving] = useState(false);
  const exporting = useExport({ kind: 'experiment', experimentId: id });
  const cells = usePress((): Promise<void> => experiments.exportCsv(id, 'cells'));
  const pairs = usePress((): Promise<void> => experiments.exportCsv(id, 'pairs'));
  return (
    <>
      {state.kind === 'running' && !isForeign && (
        <Button
          variant="default"
          loading={pendingAction === 'pause'}
          leftSection={<IconPlayerPause size={14} />}
          title="Stops running trainings at a checkpoint, from which they resume"
          onClick={() => void experiments.pause(id)}
        >
          Pause
        </Button>
      )}
      {(state.kind === 'paused' || state.kind === 'failed') && !isForeign && (
        <Button
          loading={pendingAction === 'resume'}
          leftSection={<IconPlayerPlay size={14} />}
          onClick={() => void experiments.resume(id)}
        >
          {state.kind === 'failed' ? 'Retry failed trainings' : 'Resume'}
        </Button>
      )}
      {view.done > 0 && (
        <ExportButton
          exporting={exporting}
          others={[
            { label: 'All values as CSV…', run: cells.press },
            { label: 'All differences as CSV…', run: pairs.press },
          ]}
          busy={cells.busy || pairs.busy}
          opensNow={dialog === 'export'}
          onOpened={() => location.go({ kind: 'experiment', experimentId: id }, { replace: true })}
        />
      )}
      <MoreMenu>
        {/* Its form is of pocket policies; a sweep of language models is in the form of a training. */}
        {order.models === undefined && (
          <>
            <Menu.Item onClick={() => location.go({ kind: 'new-experiment', preset: id })}>
              Copy to a new experiment
            </Menu.Item>
            <Menu.Divider />
          </>
        )}
        <Menu.Item color="red" onClick={() => setRemoving(true)}>
          Remove experiment
        </Menu.Item>
      </MoreMenu>
      <ConfirmDialog
        opened={removing}
        title={`Remove ${order.name}?`}
        confirm="Remove experiment"
        cancel="Keep it"
        onConfirm={() => void experiments.remove(id)}
        onClose={() => setRemoving(false)}
      >
        Also removes its {plural(view.total, 'training')} and their checkpoints. Exported files are kept.
      </ConfirmDialog>
    </>
  );
}

/** One line: what the experiment compares. */
export function ExperimentFacts({ view }: { readonly view: ExperimentView }) {
  const { rows, seeds } = view.order;
  const families = [...new Set(rows.map((row) => row.families.join(' + ')))];
  const facts = [
    `${plural(rows.length, 'row')} × ${plural(seeds.length, 'seed')}`,
    ...(families.length <= 2 ? families : [`${families.length} sets of families`]),
    `${plural(experimentUpdates(view.order), 'update')} per agent`,
    `evaluated on ${experimentEvaluation(view.order)}`,
    ...(view.fromBundle === undefined ? [] : [`from the bundle ${view.fromBundle}, read-only`]),
  ];
  return <FactLine label="What it compares" facts={facts} />;
}

/** Progress of the experiment. */
export function ExperimentProgress({ view }: { readonly view: ExperimentView }) {
  const { done, total, state, secondsLeft } = view;
  const isActive = state.kind === 'running';
  return (
    <ProgressHead
      label="Progress of the experiment"
      share={done / total}
      end={isActive ? null : experimentStatus(view).text}
      time={isActive ? timeLeft(secondsLeft) : null}
    >
      <span>
        <b>{count(done)}</b> of {plural(total, 'training')} done
      </span>
    </ProgressHead>
  );
}

function timeLeft(seconds: number | null): string {
  return seconds === null
    ? 'time left unknown until the first training is done'
    : `about ${roughDuration(seconds * 1_000)} left`;
}
