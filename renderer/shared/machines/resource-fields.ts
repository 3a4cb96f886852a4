import { numberIn, wholeNumber } from '../../widgets/typed-numbers';

/** none: no GPU; any: a number, chosen at the start; these: picked by the user. */
export type GpuMode = 'none' | 'any' | 'these';

/** The GPU fields of a form. */
export type GpuFields = {
  readonly gpuMode: GpuMode;
  readonly gpus: string;
  readonly gpuIds: readonly string[];
};

/** The Slurm fields of a form; empty: the machine's defaults. */
export type SlurmFields = {
  readonly hours: string;
  readonly partition: string;
  readonly account: string;
  /** Other sbatch options. */
  readonly options: string;
};

export type ResourceFields = GpuFields & SlurmFields;

/** The resources that the fields request. Bounds are the contract's. */
export type RequestedResources = {
  readonly gpus: number;
  /** Exactly these; null: as many as `gpus`, chosen when it starts. */
  readonly gpuIds: string[] | null;
  /** null here and below: the machine's default. */
  readonly minutes: number | null;
  readonly partition: string | null;
  readonly account: string | null;
  readonly slurmOptions: string | null;
};

/** missing: shown after the first try to start; wrong: shown at once. */
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

/** The fields of an earlier request. */
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

/** On Slurm, GPUs cannot be picked: "these" means their number. */
export function effectiveGpuMode(fields: GpuMode, isSlurm: boolean): GpuMode {
  return isSlurm && fields === 'these' ? 'any' : fields;
}

/** `gpus` counts picked ones, too. */
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

/** The requested resources and the errors of the fields. Slurm fields are ignored on other machines. */
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
