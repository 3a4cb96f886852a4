import type { DoctorCheck } from '../machine';

/** What a machine can do, and what not with the reason, in words that follow "Can:" and "Cannot:". */
export type Abilities = { readonly can: readonly string[]; readonly cannot: readonly string[] };

/** Several checks of one ability: all must be there, or of `any` one; those of `further` count where they were made. */
type Need = {
  readonly ability: string;
  readonly all: readonly string[];
  readonly any?: readonly string[];
  readonly further?: readonly string[];
};

const NEEDS: readonly Need[] = [
  { ability: 'grade programs', all: ['sandbox'] },
  { ability: 'run jobs', all: ['detach'] },
  { ability: 'train pocket policies', all: ['detach', 'sandbox'] },
  {
    ability: 'train language models',
    all: ['detach', 'learner'],
    further: ['learner-devices', 'learner-memory', 'learner-disk', 'learner-step'],
  },
  {
    ability: 'serve models with llama.cpp (Launch a server installs it, 11 to 35 MB)',
    all: ['detach', 'ports'],
  },
  { ability: 'serve models with vLLM or SGLang', all: ['detach', 'ports', 'gpus'], any: ['vllm', 'sglang'] },
  { ability: 'train with MARTI', all: ['detach', 'gpus', 'ray', 'marti'] },
];

/**
 * What a machine can do, by an examination's findings; null: it did not examine the whole machine. Left out: what could
 * not be found out.
 */
export function abilitiesOf(checks: readonly DoctorCheck[]): Abilities | null {
  if (!checks.some(({ id }) => id === 'detach')) return null;
  const byId = new Map(checks.map((check) => [check.id, check]));
  const can: string[] = [];
  const cannot: string[] = [];
  for (const { ability, all, any = [], further = [] } of NEEDS) {
    const needed = all.flatMap((id) => byId.get(id) ?? []);
    const made = [...needed, ...further.flatMap((id) => byId.get(id) ?? [])];
    const lacking = made.filter(isLacking);
    const choices = any.flatMap((id) => byId.get(id) ?? []);
    if (choices.length > 0 && choices.every(isLacking)) lacking.push(...choices);
    if (lacking.length > 0) cannot.push(`${ability} (${lacking.map(reasonOf).join(', ')})`);
    else if (needed.length < all.length || (any.length > 0 && choices.length === 0)) continue;
    else if ([...made, ...choices].every(({ state }) => state !== 'unknown')) can.push(ability);
  }
  return { can, cannot };
}

function isLacking({ isAbsent, state }: DoctorCheck): boolean {
  return isAbsent === true || state === 'bad';
}

function reasonOf({ id, title, isAbsent }: DoctorCheck): string {
  if (id === 'gpus' && isAbsent === true) return 'no GPU';
  return isAbsent === true && id !== 'sandbox' ? `no ${title}` : `see "${title}"`;
}

/** "Can: run jobs." and "Cannot: train with MARTI (no GPU)."; without a line where there is nothing to say. */
export function abilityLines({ can, cannot }: Abilities): readonly string[] {
  return [
    ...(can.length === 0 ? [] : [`Can: ${can.join(', ')}.`]),
    ...(cannot.length === 0 ? [] : [`Cannot: ${cannot.join('; ')}.`]),
  ];
}
