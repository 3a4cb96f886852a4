import { setImmediate as turnOver } from 'node:timers/promises';
import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { Job, JobService } from '../jobs';
import { type Program, programOf, type ServerJob } from './program';

export type StartedServer = { readonly job: Job; readonly program: Program };

type Launched = Result<Job, Refusal>;

/** Servers that were requested in one turn of the event loop. */
type Group = {
  /** Their jobs, in the order of the requests; null: there is none to launch. */
  readonly jobs: Promise<ServerJob | null>[];
  readonly launched: Promise<ReadonlyMap<ServerJob, Launched>>;
};

/**
 * Launches the jobs of all servers that are requested at once for one machine by one call, so that equal requests to a
 * Slurm cluster become one job array.
 */
export class LaunchGroups {
  readonly #jobs: Pick<JobService, 'launchMany'>;
  /** By machine: those that can still be joined. */
  readonly #open = new Map<string, Group>();

  constructor(jobs: Pick<JobService, 'launchMany'>) {
    this.#jobs = jobs;
  }

  /** `prepare` makes the job. The group waits for all of them, and is launched without those that are refused. */
  async launch(
    machineId: string,
    prepare: () => Promise<Result<ServerJob, Refusal>>,
  ): Promise<Result<StartedServer, Refusal>> {
    const group = this.#open.get(machineId) ?? this.#begin(machineId);
    const preparing = prepare();
    group.jobs.push(
      preparing.then(
        (prepared) => (prepared.ok ? prepared.value : null),
        // Its own caller gets the error.
        () => null,
      ),
    );
    // Not before the group: its servers are listed in the order of their requests, whichever was prepared first.
    const launched = await group.launched;
    const prepared = await preparing;
    if (!prepared.ok) return prepared;
    const job = launched.get(prepared.value) ?? failed(NO_RESULT);
    return job.ok ? ok({ job: job.value, program: programOf(prepared.value.notes, machineId) }) : job;
  }

  #begin(machineId: string): Group {
    const jobs: Group['jobs'] = [];
    const launched = this.#launchAll(machineId, jobs);
    const group = { jobs, launched };
    this.#open.set(machineId, group);
    return group;
  }

  async #launchAll(machineId: string, preparing: Group['jobs']): Promise<ReadonlyMap<ServerJob, Launched>> {
    await turnOver();
    this.#open.delete(machineId);
    const prepared = (await Promise.all(preparing)).filter((job) => job !== null);
    const launched = await this.#jobs.launchMany(prepared.map(({ spec }) => spec));
    return new Map(prepared.flatMap((job, at) => (launched[at] === undefined ? [] : [[job, launched[at]]])));
  }
}

const NO_RESULT: Refusal = { code: 'internal', message: 'The launch returned no result for this server.' };
