import type { ServerView } from '../../preload/contract';
import { launchServer } from '../../preload/contract/plans/index';
import type { ChatClient } from './chat-client';
import { isStudy } from './logic/launch-notes';
import { hasOneModel } from './program';
import type { SpeedTarget } from './running-server';
import type { ServerRun } from './server-run';
import type { ServerStatus } from './server-status';

/** The view of a server that runs as a job, for the window and the terminal. */
export function serverViewOf(
  {
    id,
    owners,
    isAdopted,
  }: { readonly id: string; readonly owners: ReadonlySet<string>; readonly isAdopted: boolean },
  parts: {
    readonly run: ServerRun;
    readonly status: ServerStatus;
    readonly client: ChatClient;
    readonly metrics: ServerView['metrics'];
  },
): ServerView {
  const { run, status, client, metrics } = parts;
  const { job } = run;
  const { kind, model, machineId, serves, notes } = run.program;
  return {
    id,
    kind,
    model,
    spec: notes.serves.kind === 'own' ? notes.serves.spec : launchServer(notes.serves.launch.id, model),
    state: status.state,
    startedAt: job.startedAt ?? job.createdAt,
    pid: run.pid,
    studyId: [...owners].find(isStudy) ?? null,
    inFlight: client.inFlight(),
    answered: client.answered(),
    ...(isAdopted ? { isAdopted } : {}),
    logBytes: job.logBytes,
    machineId,
    jobId: job.id,
    launchId: serves.kind === 'launch' ? serves.launch.id : null,
    gpuIds: [...job.gpuIds],
    stages: [...status.stages],
    metrics,
    diagnosis: status.diagnosis,
  };
}

/** A server of our own needs no key: it can only be reached from its own machine. */
export function speedTargetOf({ baseUrl, program }: ServerRun): SpeedTarget {
  const { serves, model } = program;
  return {
    baseUrl,
    model,
    hasOneModel: hasOneModel(program),
    key: null,
    ignoresEnd: serves.kind === 'launch' && serves.engine.ignoresEnd,
    problemId: serves.kind === 'own' ? (serves.knownProblemId ?? '') : '',
  };
}
