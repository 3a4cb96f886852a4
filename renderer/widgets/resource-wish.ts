import { numberIn, wholeNumber } from './typed-numbers';

/** none: no GPU; any: so many, chosen when it starts; these: picked by eye. */
export type GpuWish = 'none' | 'any' | 'these';

/** Which GPUs something is to have, as typed and picked. */
export type GpuChoice = {
  readonly gpuWish: GpuWish;
  readonly gpus: string;
  readonly gpuIds: readonly string[];
};

/** How Slurm is asked, as typed; empty texts leave the choice to the machine's defaults. */
export type SlurmWish = {
  readonly hours: string;
  readonly partition: string;
  readonly account: string;
  /** Further options of sbatch. */
  readonly options: string;
};

export type ResourceWish = GpuChoice & SlurmWish;

/** What a form of wishes means: as a job's resources have it. Bounds are the contract's. */
export type WishedResources = {
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
export type WishFault = {
  readonly at: 'gpus' | 'hours';
  readonly kind: 'missing' | 'wrong';
  readonly message: string;
};

export const NO_WISH: ResourceWish = {
  gpuWish: 'none',
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
export function choiceOf({ gpus, gpuIds }: Pick<WishedResources, 'gpus' | 'gpuIds'>): GpuChoice {
  return {
    gpuWish: gpuIds !== null ? 'these' : gpus > 0 ? 'any' : 'none',
    gpus: String(Math.max(1, gpus)),
    gpuIds: gpuIds ?? [],
  };
}

export function wishOf(resources: WishedResources): ResourceWish {
  const { minutes, partition, account, slurmOptions } = resources;
  return {
    ...choiceOf(resources),
    hours: minutes === null ? '' : String(Math.round((minutes / 60) * 100) / 100),
    partition: partition ?? '',
    account: account ?? '',
    options: slurmOptions ?? '',
  };
}

/** What can be wished where it runs: Slurm picks GPUs by itself, so that there "these" means so many. */
export function gpuWishThere(wish: GpuWish, isSlurm: boolean): GpuWish {
  return isSlurm && wish === 'these' ? 'any' : wish;
}

/** GPUs that are meant. `gpus` counts those picked, too. */
export function readGpus(
  choice: GpuChoice,
  isSlurm: boolean,
): Pick<WishedResources, 'gpus' | 'gpuIds'> & {
  readonly fault: (WishFault & { readonly at: 'gpus' }) | null;
} {
  switch (gpuWishThere(choice.gpuWish, isSlurm)) {
    case 'none':
      return { gpus: 0, gpuIds: null, fault: null };
    case 'any': {
      const read = wholeNumber(choice.gpus, GPUS);
      if (read.ok) return { gpus: read.value, gpuIds: null, fault: null };
      return { gpus: 1, gpuIds: null, fault: { at: 'gpus', kind: 'wrong', message: read.message } };
    }
    case 'these': {
      const message = 'Pick at least one, or let free ones be chosen.';
      const isNone = choice.gpuIds.length === 0;
      return {
        gpus: choice.gpuIds.length,
        gpuIds: [...choice.gpuIds],
        fault: isNone ? { at: 'gpus', kind: 'missing', message } : null,
      };
    }
  }
}

/** The resources that the form means, and what is wrong with it. What only Slurm knows is asked of Slurm alone. */
export function readWish(
  wish: ResourceWish,
  isSlurm: boolean,
): { readonly resources: WishedResources; readonly faults: readonly WishFault[] } {
  const { gpus, gpuIds, fault } = readGpus(wish, isSlurm);
  const faults: WishFault[] = fault === null ? [] : [fault];
  const hours = isSlurm && wish.hours.trim() !== '' ? numberIn(wish.hours, HOURS) : null;
  if (hours?.ok === false) {
    faults.push({ at: 'hours', kind: 'wrong', message: 'From a minute (0.02) to 720 hours.' });
  }
  const text = (value: string): string | null => (isSlurm && value.trim() !== '' ? value.trim() : null);
  return {
    faults,
    resources: {
      gpus,
      gpuIds,
      minutes: hours?.ok === true ? Math.round(hours.value * 60) : null,
      partition: text(wish.partition),
      account: text(wish.account),
      slurmOptions: text(wish.options),
    },
  };
}
