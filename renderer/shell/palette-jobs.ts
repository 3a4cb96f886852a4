import type { SpotlightActionData } from '@mantine/spotlight';
import { useMemo } from 'react';
import { readyValue, useJobs, useLaunches, useServers, type WorkbenchState } from '../state/index';
import { jobStatus } from '../text/jobs';

/** Older jobs are found in their own list, by its filters. */
const MAX_JOBS = 100;

/** Jobs, servers and launches as the palette names them. */
export type JobEntries = {
  readonly jobs: readonly { readonly id: string; readonly name: string; readonly description: string }[];
  readonly servers: readonly { readonly id: string; readonly model: string; readonly state: string }[];
  readonly launches: readonly { readonly id: string; readonly name: string }[];
};

/** The same object while names and states are: bytes of output come all the time, and the palette shows none. */
export function useJobEntries(): JobEntries {
  const jobs = (readyValue(useJobs()) ?? [])
    .slice(0, MAX_JOBS)
    .map((job) => ({ id: job.id, name: job.name, description: jobStatus(job).text }));
  const servers = (readyValue(useServers()) ?? []).map(({ id, model, state }) => ({
    id,
    model,
    state: state.kind,
  }));
  const launches = (readyValue(useLaunches()) ?? []).map(({ id, name }) => ({ id, name }));
  const key = JSON.stringify({ jobs, servers, launches });
  return useMemo(() => ({ jobs, servers, launches }), [key]);
}

export function jobActions(
  state: WorkbenchState,
  { jobs, servers, launches }: JobEntries,
): readonly SpotlightActionData[] {
  const { location } = state;
  return [
    ...jobs.map(({ id, name, description }) => ({
      id: `job-${id}`,
      group: 'Jobs',
      label: `Job: ${name}`,
      description,
      keywords: [id],
      onClick: () => location.go({ kind: 'jobs', jobId: id }),
    })),
    ...servers.map(({ id, model, state: now }) => ({
      id: `server-${id}`,
      group: 'Servers',
      label: `Server: ${model}`,
      description: now,
      keywords: [id],
      onClick: () => location.go({ kind: 'servers', serverId: id }),
    })),
    ...launches.map(({ id, name }) => ({
      id: `do-launch-${id}`,
      group: 'Actions',
      label: `Launch ${name}`,
      keywords: [id, 'server', 'start'],
      onClick: () => void state.launches.launch(id),
    })),
  ];
}
