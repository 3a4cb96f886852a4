import type { Handlers } from '../../main/app/dispatch';
import { jobHandlers } from '../../main/app/handlers/job-handlers';
import { createLongTasks } from '../../main/app/long-tasks';
import { Emitter, ok } from '../../main/base';
import type { WorkbenchEvent } from '../../preload/contract';
import type { JobBench } from './job-bench';

/** The commands of jobs over a bench, whose one machine has no GPUs unless `change` says so. */
export function benchJobHandlers(
  { jobs, machine }: JobBench,
  events: Emitter<WorkbenchEvent> = new Emitter(),
  change: Partial<Pick<Parameters<typeof jobHandlers>[0], 'fleet' | 'gpus'>> = {},
): Handlers {
  return jobHandlers({
    jobs,
    tasks: createLongTasks(events, () => 0),
    fleet: { get: () => ok(machine) },
    gpus: async () => ok({ gpus: [], reservations: [], user: 'me' }),
    ...change,
  });
}
