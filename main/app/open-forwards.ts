import type { Refusal } from '../../preload/contract/index';
import { failed, ok } from '../base/index';
import { hasEnded, type JobService, readForeignJob } from '../jobs/index';
import { createPortForwards, type MonitoredFleet, type PortForwards } from '../machines/index';

/** Forwarded ports, which end with their jobs. */
export function openForwards(
  fleet: MonitoredFleet,
  jobs: Pick<JobService, 'view' | 'onChange' | 'onRemoved'>,
  clock: { readonly now: () => number },
): PortForwards {
  const forwards = createPortForwards({
    fleet,
    nodeOf: async (machine, jobId) => {
      const job = jobs.view(jobId);
      if (!job.ok) return job;
      const { machineId, slurmId, state } = job.value;
      if (machineId !== machine.id || hasEnded(state)) return failed(notRunning());
      if (machine.spec.kind !== 'slurm') return ok(null);
      if (slurmId === null) return failed(notRunning());
      const foreignJob = await readForeignJob(machine, slurmId, clock.now());
      if (!foreignJob.ok) return foreignJob;
      const { node } = foreignJob.value;
      return node === null || foreignJob.value.state.kind !== 'running' ? failed(notRunning()) : ok(node);
    },
    clock,
  });
  jobs.onChange(({ id, state }) => hasEnded(state) && forwards.closeOfJob(id));
  jobs.onRemoved((jobId) => forwards.closeOfJob(jobId));
  return forwards;
}

function notRunning(): Refusal {
  return {
    code: 'conflict',
    message: 'The job does not run there now, so it has no port.',
    hint: 'Forward the port while the job runs.',
  };
}
