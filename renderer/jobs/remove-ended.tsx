import { Button } from '@mantine/core';
import { useState } from 'react';
import type { JobView } from '../../preload/contract/job';
import { useWorkbench } from '../state/index';
import { bytes, ConfirmDialog, plural, usePress } from '../widgets/index';

/** Removes the ended jobs of the list as it is filtered, after a question. */
export function RemoveEnded(props: {
  readonly jobs: readonly JobView[];
  /** How many have ended, with those of servers and trainings. */
  readonly ended: number;
  readonly nameOf: (machineId: string) => string;
}) {
  const { jobs, ended, nameOf } = props;
  const isPart = jobs.length < ended;
  const { jobs: store } = useWorkbench();
  const [asking, setAsking] = useState(false);
  const { busy, press } = usePress(() => store.removeMany(jobs.map(({ id }) => id)));
  if (jobs.length === 0 && !busy) return null;
  const places = [...new Set(jobs.map(({ machineId }) => nameOf(machineId)))].join(', ');
  const written = bytes(jobs.reduce((sum, { logBytes }) => sum + logBytes, 0));
  return (
    <>
      <Button
        variant="default"
        loading={busy}
        title={
          isPart ? 'Those of servers and trainings stay: each goes with its server or training' : undefined
        }
        onClick={() => setAsking(true)}
      >
        Remove {jobs.length} {isPart && `of ${ended} `}ended
      </Button>
      <ConfirmDialog
        opened={asking}
        title={`Remove ${plural(jobs.length, 'ended job')}?`}
        confirm={jobs.length === 1 ? 'Remove job' : 'Remove jobs'}
        cancel="Keep them"
        onConfirm={press}
        onClose={() => setAsking(false)}
      >
        These are the ended jobs of the list as it is filtered, without those of servers and trainings. Their
        folders on {places} are deleted, with {written} of output; files written elsewhere are kept. This
        cannot be undone.
      </ConfirmDialog>
    </>
  );
}
