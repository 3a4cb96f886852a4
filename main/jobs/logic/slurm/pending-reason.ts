/** Descriptions of Slurm's reason codes (`squeue(1)`, JOB REASON CODES). Limits are handled below. */
const REASONS: Readonly<Record<string, string>> = {
  None: 'Slurm has not considered the job yet',
  Resources: 'all suitable resources are in use',
  Priority: 'other jobs have a higher priority',
  BeginTime: 'its begin time has not come yet',
  Dependency: 'it waits for another job to end',
  DependencyNeverSatisfied: 'it waits for another job that failed, so it will never start; stop it',
  JobHeldUser: 'it is held; release it with `scontrol release`',
  JobHeldAdmin: 'an administrator holds it',
  JobHoldMaxRequeue: 'it was requeued too often and is held; ask an administrator',
  JobArrayTaskLimit: 'its array already runs as many elements as allowed',
  JobLaunchFailure: 'it could not be started on its node; Slurm tries again',
  launch: 'it could not be started on its node and is held; ask an administrator',
  Reservation: 'its reservation has not started',
  ReservationDeleted: 'its reservation was removed; stop it',
  InvalidAccount: 'its account does not exist; stop it and choose another',
  InvalidQOS: 'its quality of service does not exist; stop it and choose another',
  Licenses: 'it waits for a licence',
  PartitionDown: 'its partition is down',
  PartitionInactive: 'its partition is inactive',
  PartitionTimeLimit: 'it requests more time than its partition allows; stop it and request less',
  PartitionNodeLimit: 'it requests more nodes than its partition allows or has',
  PartitionConfig: 'no node of its partition has what it requests; stop it and request less',
  BadConstraints: 'no node has what it requests; stop it and request less',
  NodeDown: 'a node that it needs is down',
  ReqNodeNotAvail: 'nodes that it needs are down or reserved, for example for maintenance',
  Nodes: 'all nodes that could run it are down, drained or reserved for jobs with higher priority',
  MaxGRESPerAccount: 'its account has reached its limit on GPUs',
  Cleaning: 'Slurm is still cleaning up after its last run',
  Prolog: 'its node is being prepared',
  FrontEndDown: 'the node that starts jobs is down',
  SystemFailure: 'Slurm or its network failed; it tries again',
};

const LIMIT_OWNERS: Readonly<Record<string, string>> = {
  Assoc: 'your account',
  QOS: 'its quality of service',
};

/** Longest first: "CPURunMinutes" begins with "CPU". */
const LIMITED_RESOURCES: readonly (readonly [RegExp, string])[] = [
  [/RunMinutes|Minutes/i, 'computing time'],
  [/Submit/, 'jobs in the queue'],
  [/Jobs/, 'jobs at the same time'],
  [/Gres/i, 'GPUs'],
  [/Billing/, 'billed resources'],
  [/Wall/, 'time'],
  [/Node/, 'nodes'],
  [/Mem/, 'memory'],
  [/Cpu/i, 'CPUs'],
];

/** Why a job waits, as a sentence that ends with Slurm's own reason code. */
export function pendingReason(reason: string): string {
  const word = /^\w+/.exec(reason)?.[0] ?? '';
  const explanation = REASONS[word] ?? limitReason(word);
  if (explanation === null)
    return `It waits in Slurm's queue: ${reason === '' ? 'no reason given' : reason}.`;
  return `It waits in Slurm's queue: ${explanation} (${reason}).`;
}

/** "QOSMaxJobsPerUserLimit", "AssocGrpGRES", ...: owner, group or user, resource. */
function limitReason(word: string): string | null {
  const match = /^(Assoc|QOS)(Grp)?\w+$/.exec(word);
  const owner = LIMIT_OWNERS[match?.[1] ?? ''];
  if (match === null || owner === undefined) return null;
  const resource = LIMITED_RESOURCES.find(([pattern]) => pattern.test(word))?.[1] ?? 'resources';
  return match[2] === undefined
    ? `the limit of ${owner} on ${resource} is reached`
    : `all users of ${owner} together have reached its limit on ${resource}`;
}
