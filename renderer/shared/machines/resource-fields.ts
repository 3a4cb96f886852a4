import { numberIn, wholeNumber } from '../../widgets/typed-numbers';

/** none: no GPU; any: so many, chosen when it starts; these: picked by eye. */
export type GpuMode = 'none' | 'any' | 'these';

/** Which GPUs something is to have, as typed and picked. */
export type GpuFields = {
  readonly gpuMode: GpuMode;
  readonly gpus: string;
  readonly gpuIds: readonly string[];
};

/** How Slurm is asked, as typed; empty texts leave the choice to the machine's defaults. */
export type SlurmFields = {
  readonly hours: string;
  readonly partition: string;
  readonly account: string;
  /** Other sbatch options. */
  readonly options: string;
};

export type ResourceFields = GpuFields & SlurmFields;

/** What a form of wishes means: as a job's resources have it. Bounds are the contract's. */
export type RequestedResources = {
  readonly gpus: number;
  /** Exactly these; null: as many as `gpus`, chosen when it starts. */
  readonly gpuIds: string[] | null;
  /** null here and below: as the machine's defaults say. */
  readonly minutes: number | null;
  readonly partition: string | null;
  readonly account: string | null;
  readonly slurmOptions: string | null;
};

/** missing: only said once the user wants to start; wrong: said at once. */
export type ResourceError = {
  readonly at: 'gpus' | 'hours';
  readonly kind: 'missing' | 'wrong';
  readonly message: string;
};

export const DEFAULT_RESOURCES: ResourceFields = {
  gpuMode: 'none',
  gpus: '1',
  gpuIds: [],
  hours: '',
  partition: '',
  account: '',
  options: '',
};

const GPUS = [1, 64] as const;
/** From a minute to a month. */
const HOURS = [0.02, 720] as const;

/** The form as an earlier order had it. */
export function gpuFieldsOf({ gpus, gpuIds }: Pick<RequestedResources, 'gpus' | 'gpuIds'>): GpuFields {
  return {
    gpuMode: gpuIds !== null ? 'these' : gpus > 0 ? 'any' : 'none',
    gpus: String(Math.max(1, gpus)),
    gpuIds: gpuIds ?? [],
  };
}

export function resourceFieldsOf(resources: RequestedResources): ResourceFields {
  const { minutes, partition, account, slurmOptions } = resources;
  return {
    ...gpuFieldsOf(resources),
    hours: minutes === null ? '' : String(Math.round((minutes / 60) * 100) / 100),
    partition: partition ?? '',
    account: account ?? '',
    options: slurmOptions ?? '',
  };
}

/** What can be wished where it runs: Slurm picks GPUs by itself, so that there "these" means so many. */
export function effectiveGpuMode(fields: GpuMode, isSlurm: boolean): GpuMode {
  return isSlurm && fields === 'these' ? 'any' : fields;
}

/** GPUs that are meant. `gpus` counts those picked, too. */
export function readGpus(
  fields: GpuFields,
  isSlurm: boolean,
): Pick<RequestedResources, 'gpus' | 'gpuIds'> & {
  readonly error: (ResourceError & { readonly at: 'gpus' }) | null;
} {
  switch (effectiveGpuMode(fields.gpuMode, isSlurm)) {
    case 'none':
      return { gpus: 0, gpuIds: null, error: null };
    case 'any': {
      const read = wholeNumber(fields.gpus, GPUS);
      if (read.ok) return { gpus: read.value, gpuIds: null, error: null };
      return { gpus: 1, gpuIds: null, error: { at: 'gpus', kind: 'wrong', message: read.message } };
    }
    case 'these': {
      const message = 'Pick at least one GPU, or choose "Free GPUs".';
      const isNone = fields.gpuIds.length === 0;
      return {
        gpus: fields.gpuIds.length,
        gpuIds: [...fields.gpuIds],
        error: isNone ? { at: 'gpus', kind: 'missing', message } : null,
      };
    }
  }
}

/** The resources that the form means, and what is wrong with it. What only Slurm knows is asked of Slurm alone. */
export function readResources(
  fields: ResourceFields,
  isSlurm: boolean,
): { readonly resources: RequestedResources; readonly errors: readonly ResourceError[] } {
  const { gpus, gpuIds, error: gpuError } = readGpus(fields, isSlurm);
  const errors: ResourceError[] = gpuError === null ? [] : [gpuError];
  const hours = isSlurm && fields.hours.trim() !== '' ? numberIn(fields.hours, HOURS) : null;
  if (hours?.ok === false) {
    errors.push({ at: 'hours', kind: 'wrong', message: 'From a minute (0.02) to 720 hours.' });
  }
  const text = (value: string): string | null => (isSlurm && value.trim() !== '' ? value.trim() : null);
  return {
    errors,
    resources: {
      gpus,
      gpuIds,
      minutes: hours?.ok === true ? Math.round(hours.value * 60) : null,
      partition: text(fields.partition),
      account: text(fields.account),
      slurmOptions: text(fields.options),
    },
  };
}
