import { z } from 'zod';
import { gpuReadingSchema } from './gpu';

/** A host of the user's ssh config, or `user@host`. Never begins with "-": ssh would read it as an option. */
export const sshHostSchema = z
  .string()
  .max(255)
  .regex(/^[\w.:@%+~/\][][\w.:@%+~/\][-]*$/, 'this is not a host name for ssh');

const NO_ID = 'is not an id: use a-z, 0-9 and dashes, at most 40 characters';
const machineShape = {
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, NO_ID),
  name: z.string().min(1).max(60),
};

/** Slurm options of jobs that set none. Empty texts leave the choice to the cluster. */
export const slurmDefaultsSchema = z.strictObject({
  partition: z.string().max(100).default(''),
  account: z.string().max(100).default(''),
  /** Wall time of a job; 1 minute to 30 days. */
  minutes: z.number().int().min(1).max(43_200).default(1_440),
  /** Further options of sbatch, as typed, e.g. "--qos=long --constraint=h100". */
  options: z.string().max(1_000).default(''),
});
export type SlurmDefaults = z.infer<typeof slurmDefaultsSchema>;

/** A computer that runs jobs. The local one is always there. */
export const machineSpecSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('local'), ...machineShape }),
  z.strictObject({ kind: z.literal('ssh'), ...machineShape, host: sshHostSchema }),
  /** Jobs go to Slurm, asked on a login node; `host` null is this computer. */
  z.strictObject({
    kind: z.literal('slurm'),
    ...machineShape,
    host: sshHostSchema.nullable(),
    defaults: slurmDefaultsSchema,
  }),
]);
export type MachineSpec = z.infer<typeof machineSpecSchema>;

/** A host key that ssh does not know yet, as it prints it; text of a stranger. */
const hostKeySchema = z.object({
  /** e.g. "[10.0.0.5]:2222"; a jump host where its key is the one in question. */
  host: z.string(),
  /** With its kind, e.g. "ED25519 SHA256:...". */
  fingerprint: z.string(),
});
export type HostKey = z.infer<typeof hostKeySchema>;

/** How a host that answers does not let the user in: its key was not accepted, the login not finished or refused, no shell came. */
const hostRefusalSchema = z.enum(['host-key', 'login-refused', 'login-left', 'no-shell']);
export type HostRefusal = z.infer<typeof hostRefusalSchema>;

/** Times are ISO dates. While a machine does not answer, the state of its jobs is unknown. */
export const connectionSchema = z.discriminatedUnion('kind', [
  /** Not requested yet, or disconnected by the user. */
  z.object({ kind: z.literal('off') }),
  z.object({ kind: z.literal('connecting'), since: z.string() }),
  /** ssh asks for something (password, code, unknown host key): the terminal shows it and takes the answer. */
  z.object({
    kind: z.literal('needs-login'),
    since: z.string(),
    terminalId: z.string(),
    prompt: z.string(),
    /** ssh asks only whether this key is right; left out: for anything else. */
    hostKey: hostKeySchema.optional(),
  }),
  z.object({ kind: z.literal('connected'), since: z.string() }),
  z.object({
    kind: z.literal('unreachable'),
    since: z.string(),
    /** ISO date of the last answer in this start of the app; null: none. */
    lastSeenAt: z.string().nullable(),
    /** ssh's error as a sentence. */
    message: z.string(),
    hint: z.string().optional(),
    /** null: no automatic retry (a changed host key, a refused login). */
    nextTryAt: z.string().nullable(),
    /** What the host answered instead of letting the user in; left out: it does not answer. */
    refusal: hostRefusalSchema.optional(),
  }),
]);
export type Connection = z.infer<typeof connectionSchema>;

/** Facts that a machine reported when it was connected; null where it did not. */
export const machineFactsSchema = z.object({
  hostname: z.string(),
  user: z.string(),
  home: z.string(),
  /** e.g. "Linux 6.1 x86_64" */
  system: z.string(),
  cores: z.number().int().positive().nullable(),
  memoryMib: z.number().int().positive().nullable(),
  /** Of the file system that holds the home folder. */
  diskFreeMib: z.number().int().nonnegative().nullable(),
  diskTotalMib: z.number().int().positive().nullable(),
});
export type MachineFacts = z.infer<typeof machineFactsSchema>;

/** "Please leave GPU 3": advice to other users of the lab, kept in a file on the machine. */
export const reservationSchema = z.object({
  /** UUID of a GPU or MIG slice. */
  gpuId: z.string().min(1).max(100),
  /** The account on the machine. */
  user: z.string().min(1).max(100),
  note: z.string().max(200),
  /** ISO date. */
  until: z.string(),
});
export type Reservation = z.infer<typeof reservationSchema>;

export const machineViewSchema = z.object({
  spec: machineSpecSchema,
  connection: connectionSchema,
  facts: machineFactsSchema.nullable(),
  /** The last reading; null before the first, or where there are no GPUs. */
  gpus: gpuReadingSchema.nullable(),
  /** Without expired ones. */
  reservations: z.array(reservationSchema),
  /** A sentence: reservation files that were not read, and whose they are; left out where all were. */
  reservationProblem: z.string().optional(),
});
export type MachineView = z.infer<typeof machineViewSchema>;

/** One finding of the doctor. */
export const doctorCheckSchema = z.object({
  /** Stable, e.g. "forwarding". */
  id: z.string(),
  title: z.string(),
  state: z.enum(['good', 'warning', 'bad', 'unknown']),
  /** What the check found, e.g. "Python 3.11.2 in /usr/bin/python3". */
  found: z.string(),
  /** What to do; null when nothing. */
  todo: z.string().nullable(),
  /** It is about something that this machine has not, e.g. a GPU; what needs it cannot be done there. Left out: it has. */
  isAbsent: z.boolean().optional(),
});
export type DoctorCheck = z.infer<typeof doctorCheckSchema>;

const gpuCountSchema = z.object({
  /** As Slurm calls it, e.g. "h100"; empty where it has one kind without a name. */
  type: z.string(),
  total: z.number().int().nonnegative(),
  free: z.number().int().nonnegative(),
});

/** The current state of a Slurm cluster. */
export const clusterSchema = z.object({
  name: z.string(),
  /** e.g. "22.05.8" */
  version: z.string(),
  /** The default one first, then by name. */
  partitions: z.array(
    z.object({
      name: z.string(),
      isDefault: z.boolean(),
      isOpen: z.boolean(),
      /** Longest time of a job, minutes; null: no limit. */
      maxMinutes: z.number().nullable(),
      nodes: z.number().int().nonnegative(),
      /** Nodes on which nothing runs. */
      idleNodes: z.number().int().nonnegative(),
      gpus: z.array(gpuCountSchema),
    }),
  ),
  /** Accounts of this user; none where Slurm has no accounting. */
  accounts: z.array(z.string()),
});
export type Cluster = z.infer<typeof clusterSchema>;
