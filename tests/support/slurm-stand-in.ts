import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Machine } from '../../main/machines';
import { type MachineSpec, slurmDefaultsSchema } from '../../preload/contract';
import { toolBench } from './stand-in-tools';

const CLUSTER: MachineSpec = {
  kind: 'slurm',
  id: 'cluster',
  name: 'Cluster',
  host: null,
  defaults: slurmDefaultsSchema.parse({ minutes: 60 }),
};

export type SlurmStandIn = {
  readonly machine: Machine;
  /** What Slurm says of a job from now on, e.g. "TIMEOUT". */
  readonly say: (slurmId: string, state: string) => Promise<void>;
  /** The process of a job's batch script. */
  readonly pidOf: (slurmId: string) => Promise<number>;
};

/**
 * A stand-in for Slurm of one node, where no Slurm is installed: sbatch starts the real script at once, as a session of
 * its own, and squeue and scontrol repeat the state that the test sets. It ends nothing by itself.
 */
export async function slurmStandIn(): Promise<SlurmStandIn> {
  const { machine, tools, standIn } = await toolBench({ spec: CLUSTER });
  // Paths of a test have spaces in them.
  const inTools = (body: string) => `own=$PWD; cd "\${0%/*}" || exit 1\n${body}`;
  await standIn(
    'sbatch',
    inTools(`for script; do case $script in --output=*) log=\${script#*=} ;; --job-name=*) name=\${script#*=} ;; esac; done
id=$(($(ls | grep -c '\\.state$') + 1))
echo "$name" >$id.name
echo "$log" >$id.log
echo RUNNING >$id.state
(cd "$own" && SLURM_JOB_ID=$id exec setsid sh "$script") >>"$log" 2>&1 </dev/null &
echo $! >$id.pid
echo $id`),
  );
  await standIn(
    'squeue',
    inTools(`for word; do case $word in --format=*) mark=\${word#*=}; mark=\${mark%%|*} ;; esac; done
for file in *.state; do
  [ -e "$file" ] || continue
  id=\${file%.state}
  echo "$mark|$id|$(cat $file)|None|node1|N/A|1:00:00|$(cat $id.name)"
done`),
  );
  await standIn(
    'scontrol',
    inTools(
      '[ "$2" = show ] && echo "JobId=$4 JobName=$(cat $4.name) JobState=$(cat $4.state) ExitCode=0:0 StdOut=$(cat $4.log) Power="',
    ),
  );
  await standIn('scancel', inTools('for id; do :; done; echo CANCELLED >$id.state; kill -9 -$(cat $id.pid)'));
  await standIn('sacct', 'exit 0');
  return {
    machine,
    say: (slurmId, state) => writeFile(join(tools, `${slurmId}.state`), `${state}\n`),
    pidOf: async (slurmId) => Number(await readFile(join(tools, `${slurmId}.pid`), 'utf8')),
  };
}
