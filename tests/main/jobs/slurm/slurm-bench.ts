import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSlurmStarter, type JobProbe, type Observation, type StartedJob } from '../../../../main/jobs';
import { jobSpecSchema } from '../../../../main/jobs/logic/job-spec';
import { createLocalMachine, type Machine } from '../../../../main/machines';
import { type JobResources, type SlurmDefaults, slurmDefaultsSchema } from '../../../../preload/contract';
import { eventually } from '../../../support/eventually';
import { makeTemporaryFolder } from '../../../support/temporary-folder';
import { unwrap } from '../../../support/unwrap';

/** Time limits are minutes, and Slurm looks at them now and then. */
const PATIENCE_MS = 180_000;

/** This computer as the login node of a cluster, and starts of jobs on it. */
export async function openSlurmBench(defaults: Partial<SlurmDefaults> = {}) {
  const temporary = await makeTemporaryFolder();
  const home = join(temporary.path, 'home');
  await mkdir(home);
  const machine: Machine = createLocalMachine(home, {
    kind: 'slurm',
    id: 'cluster',
    name: 'Cluster',
    host: null,
    defaults: slurmDefaultsSchema.parse(defaults),
  });
  let laterMs = 0;
  const starter = createSlurmStarter({ clock: { now: () => Date.now() + laterMs }, queueCacheMs: 0 });
  let made = 0;

  const job = (
    line: string,
    change: Partial<StartedJob> = {},
    resources: Partial<JobResources> = {},
  ): StartedJob => {
    made += 1;
    const id = `job-${made}`;
    return {
      id,
      attempt: 1,
      folder: join(home, 'jobs', id),
      spec: jobSpecSchema.parse({
        machineId: machine.id,
        name: 'A test: 100%',
        purpose: 'command',
        command: { kind: 'line', line },
        resources,
      }),
      env: { MARS2_JOB: id },
      gpuIds: [],
      machine,
      reference: null,
      createdAt: new Date().toISOString(),
      ...change,
    };
  };
  const start = async (one: StartedJob): Promise<StartedJob> => ({
    ...one,
    reference: (await unwrap(starter.start(one))).reference,
  });
  const probe = async (one: StartedJob): Promise<JobProbe> => {
    const [seen] = await unwrap(starter.probe([one]));
    if (seen === undefined) throw new Error('The look told nothing');
    return seen;
  };
  const observed = <K extends Observation['kind']>(one: StartedJob, ...kinds: readonly K[]) =>
    eventually(
      `${kinds.join(' or ')} of ${one.id}`,
      async () => {
        const { observation: sighting } = await probe(one);
        return isOneOf(sighting, kinds) ? sighting : null;
      },
      PATIENCE_MS,
    );
  return {
    home,
    machine,
    starter,
    job,
    start,
    look: probe,
    /** The first sighting of one of these kinds. */
    observed,
    output: (one: StartedJob) => readFile(join(one.folder, 'output.log'), 'utf8').catch(() => ''),
    /** What is believed only after a while is believed now. */
    waitAMinute: () => {
      laterMs += 61_000;
    },
    dispose: temporary.dispose,
  };
}

function isOneOf<K extends Observation['kind']>(
  sighting: Observation,
  kinds: readonly K[],
): sighting is Extract<Observation, { kind: K }> {
  return kinds.some((kind) => kind === sighting.kind);
}
