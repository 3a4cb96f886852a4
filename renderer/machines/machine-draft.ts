import type { MachineSpec } from '../../preload/contract/machine';
import { plainId, sshNameProblem } from '../../preload/contract/plans/index';

/** A machine as typed in the form. */
export type MachineDraft = {
  readonly kind: 'ssh' | 'slurm';
  readonly host: string;
  /** Slurm only: this computer is the login node. */
  readonly isHere: boolean;
  /** Empty: named after its host. */
  readonly name: string;
  readonly partition: string;
  readonly account: string;
  readonly hours: string;
  readonly options: string;
};

export const EMPTY_MACHINE: MachineDraft = {
  kind: 'ssh',
  host: '',
  isHere: false,
  name: '',
  partition: '',
  account: '',
  hours: '24',
  options: '',
};

export type MachineField = 'host' | 'name' | 'hours';
export type CheckedMachine =
  | { readonly kind: 'good'; readonly spec: MachineSpec }
  | { readonly kind: 'wrong'; readonly errors: Partial<Record<MachineField, string>> };

/** null for the local machine, which has no form. */
export function draftOf(spec: MachineSpec): MachineDraft | null {
  switch (spec.kind) {
    case 'local':
      return null;
    case 'ssh':
      return { ...EMPTY_MACHINE, kind: 'ssh', host: spec.host, name: spec.name };
    case 'slurm': {
      const { partition, account, minutes, options } = spec.defaults;
      return {
        kind: 'slurm',
        host: spec.host ?? '',
        isHere: spec.host === null,
        name: spec.name,
        partition,
        account,
        hours: String(Math.round((minutes / 60) * 100) / 100),
        options,
      };
    }
  }
}

const MAX_HOURS = 720;
const LONGEST_NAME = 60;

/** `existing`: all machines; `id`: the machine being edited, null for a new one. */
export function checkMachine(
  draft: MachineDraft,
  existing: readonly MachineSpec[],
  id: string | null,
): CheckedMachine {
  const errors: Partial<Record<MachineField, string>> = {};
  const host = draft.host.trim();
  const isHere = draft.kind === 'slurm' && draft.isHere;
  const hostProblem = isHere ? null : sshNameProblem(host);
  if (hostProblem !== null) errors.host = hostProblem;
  const name = nameOf(draft);
  if (name.length > LONGEST_NAME) errors.name = `At most ${LONGEST_NAME} characters.`;
  else if (existing.some((spec) => spec.id !== id && spec.name === name))
    errors.name = `A machine named "${name}" already exists.`;
  const minutes = Math.round(Number(draft.hours) * 60);
  if (draft.kind === 'slurm' && !(minutes >= 1 && minutes <= MAX_HOURS * 60))
    errors.hours = `Enter hours, at most ${MAX_HOURS}.`;
  if (Object.keys(errors).length > 0) return { kind: 'wrong', errors: errors };

  const shape = { id: id ?? uniqueId(name, existing), name };
  if (draft.kind === 'ssh') return { kind: 'good', spec: { kind: 'ssh', ...shape, host } };
  return {
    kind: 'good',
    spec: {
      kind: 'slurm',
      ...shape,
      host: isHere ? null : host,
      defaults: {
        partition: draft.partition.trim(),
        account: draft.account.trim(),
        minutes,
        options: draft.options.trim(),
      },
    },
  };
}

/** The typed name; else the host without user and domain, for a cluster "Slurm on ...". */
export function nameOf(draft: MachineDraft): string {
  const typed = draft.name.trim();
  if (typed !== '') return typed;
  const host = draft.kind === 'slurm' && draft.isHere ? 'this computer' : draft.host.trim();
  const bare = host.replace(/^ssh:\/\//, '').replace(/^.*@/, '');
  // Drop the domain of a host name, but keep an IP address whole.
  const short = /^[\d.:[\]]+$/.test(bare) ? bare : (bare.split('.')[0] ?? bare);
  return draft.kind === 'slurm' ? `Slurm on ${short}` : short;
}

/** A unique id for the command line: letters, digits and "-". */
export function uniqueId(name: string, existing: readonly MachineSpec[]): string {
  const slug = plainId(name, { most: 36 }) || 'machine';
  const taken = new Set(existing.map(({ id }) => id));
  for (let number = 1; ; number++) {
    const id = number === 1 ? slug : `${slug}-${number}`;
    if (!taken.has(id)) return id;
  }
}
