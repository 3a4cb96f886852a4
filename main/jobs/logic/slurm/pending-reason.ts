/** Words for Slurm's reasons (`squeue(1)`, JOB REASON CODES). Those of limits have a grammar of their own, below. */
const REASONS: Readonly<Record<string, string>> = {
  None: 'it has not looked at the job yet',
  Resources: 'all that could run it is busy',
  Priority: 'other jobs come before it',
  BeginTime: 'its time to begin has not come',
  Dependency: 'it waits for another job to end',
  DependencyNeverSatisfied: 'it waits for another job that failed, so it will never begin; stop it',
  JobHeldUser: 'it is held; `scontrol release` lets it go on',
  JobHeldAdmin: 'an administrator holds it',
  JobHoldMaxRequeue: 'it was started too often and is held; ask an administrator',
  JobArrayTaskLimit: 'enough of its array run at the same time',
  JobLaunchFailure: 'it could not be started on its node; Slurm tries again',
  launch: 'it could not be started on its node and is held; ask an administrator',
  Reservation: 'its reservation has not begun',
  ReservationDeleted: 'its reservation was removed; stop it',
  InvalidAccount: 'its account is not known here; stop it and choose another',
  InvalidQOS: 'its quality of service is not known here; stop it and choose another',
  Licenses: 'it waits for a licence',
  PartitionDown: 'its partition is closed for now',
  PartitionInactive: 'its partition is switched off',
  PartitionTimeLimit: 'it asks for more time than its partition allows; stop it and ask for less',
  PartitionNodeLimit: 'it asks for more nodes than its partition allows or has',
  PartitionConfig: 'no node of its partition has what it asks for; stop it and ask for less',
  BadConstraints: 'no node has what it asks for; stop it and ask for less',
  NodeDown: 'a node that it needs is down',
  ReqNodeNotAvail: 'nodes that it needs are down or set aside, for example for maintenance',
  Nodes: 'all nodes that could run it are down, drained or set aside for jobs that come first',
  MaxGRESPerAccount: 'its account uses as many GPUs as it may',
  Cleaning: 'its last start is still being cleaned up',
  Prolog: 'its node is being prepared',
  FrontEndDown: 'the node that starts jobs is down',
  SystemFailure: 'Slurm or its network failed; it tries again',
};

const LIMIT_OWNERS: Readonly<Record<string, string>> = {
  Assoc: 'your account',
  QOS: 'its quality of service',
};

/** Longest first: "CPURunMinutes" begins with "CPU". */
const LIMITED_THINGS: readonly (readonly [RegExp, string])[] = [
  [/RunMinutes|Minutes/i, 'computing time'],
  [/Submit/, 'jobs in the queue'],
  [/Jobs/, 'jobs at the same time'],
  [/Gres/i, 'GPUs'],
  [/Billing/, 'paid resources'],
  [/Wall/, 'time'],
  [/Node/, 'nodes'],
  [/Mem/, 'memory'],
  [/Cpu/i, 'CPUs'],
];

/** Why a job waits, as a sentence; Slurm's own word stays readable at its end. */
export function pendingReason(reason: string): string {
  const word = /^\w+/.exec(reason)?.[0] ?? '';
  const words = REASONS[word] ?? limitReason(word);
  if (words === null) return `It waits in Slurm's queue: ${reason === '' ? 'no reason given' : reason}.`;
  return `It waits in Slurm's queue: ${words} (${reason}).`;
}

/** "QOSMaxJobsPerUserLimit", "AssocGrpGRES", ...: owner, group or single, thing. */
function limitReason(word: string): string | null {
  const match = /^(Assoc|QOS)(Grp)?\w+$/.exec(word);
  const owner = LIMIT_OWNERS[match?.[1] ?? ''];
  if (match === null || owner === undefined) return null;
  const thing = LIMITED_THINGS.find(([pattern]) => pattern.test(word))?.[1] ?? 'what a job may use';
  return match[2] === undefined
    ? `the limit of ${owner} on ${thing} is reached`
    : `all who share ${owner} have reached its limit on ${thing}`;
}
