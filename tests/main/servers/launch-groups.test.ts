import { expect, test } from 'vitest';
import { failed, ok, type Result } from '../../../main/base';
import type { Job, JobSpec } from '../../../main/jobs';
import { jobOf } from '../../../main/jobs/job-context';
import { newRecord } from '../../../main/jobs/logic/job-record';
import { jobSpecSchema } from '../../../main/jobs/logic/job-spec';
import { LaunchGroups } from '../../../main/servers/launch-groups';
import { launchJob, type ServerJob } from '../../../main/servers/program';
import type { Refusal } from '../../../preload/contract';
import { standInLaunch } from '../../support/vllm-environment';

const refusal: Refusal = { code: 'unavailable', message: 'No.' };

function serverJob(name: string, machineId = 'cluster'): ServerJob {
  const launch = standInLaunch('/env', '', { id: name, name, machineId });
  const instance = { replica: 0, port: 20_000, serverId: name, learner: null, installed: null };
  return launchJob(launch, instance, null);
}

/** Every call of `launchMany`, with the names of its jobs; a job called "refused" is refused. */
function openGroups() {
  const calls: string[][] = [];
  const groups = new LaunchGroups({
    launchMany: async (specs: readonly JobSpec[]) => {
      calls.push(specs.map(({ name }) => name));
      return specs.map((spec): Result<Job, Refusal> => {
        if (spec.name === 'refused') return failed(refusal);
        const record = newRecord({ id: spec.name, spec: jobSpecSchema.parse(spec), createdAt: '' });
        return ok(jobOf(record));
      });
    },
  });
  const launch = async (name: string, machineId?: string) => {
    const job = serverJob(name, machineId);
    const started = await groups.launch(job.spec.machineId, async () => ok(job));
    return started.ok ? started.value.job.id : started.error.message;
  };
  return { groups, calls, launch };
}

test('servers that are requested at once are launched by one call for each machine, in the order of the requests', async () => {
  const { groups, calls, launch } = openGroups();
  let go: () => void = () => undefined;
  const slow = groups.launch('cluster', async () => {
    await new Promise<void>((resolve) => {
      go = resolve;
    });
    return ok(serverJob('slow'));
  });
  const others = [launch('quick'), launch('refused'), launch('elsewhere', 'gpu1')];
  expect(await others[2]).toBe('elsewhere');
  expect(calls).toEqual([['elsewhere']]);
  go();
  expect(await Promise.all(others)).toEqual(['quick', 'No.', 'elsewhere']);
  expect((await slow).ok).toBe(true);
  expect(calls).toEqual([['elsewhere'], ['slow', 'quick', 'refused']]);
  expect(await launch('later')).toBe('later');
  expect(calls.at(-1)).toEqual(['later']);
});

test('one whose job cannot be made, by a refusal or a bug, leaves the others of its group', async () => {
  const { groups, calls, launch } = openGroups();
  const bug = groups.launch('cluster', async () => Promise.reject(new Error('a bug')));
  const caught = bug.catch(({ message }: Error) => message);
  const refused = groups.launch('cluster', async () => failed(refusal));
  expect(await launch('good')).toBe('good');
  expect(await refused).toEqual(failed(refusal));
  expect(await caught).toBe('a bug');
  expect(calls).toEqual([['good']]);
});
