import {
  flagProblem,
  flagValue,
  MARTI_FLAGS,
  type MartiFlag,
  type MartiPreset,
} from '../../preload/contract/plans/index';
import type { MartiDraft } from './marti-draft';

/** The preset's value of a flag; empty: not passed. */
export function presetFlag(flag: MartiFlag, preset: MartiPreset): string {
  const value = flag.defaults[preset];
  return value === null ? '' : String(value);
}

export function flagText(draft: Pick<MartiDraft, 'flags' | 'preset'>, flag: MartiFlag): string {
  return draft.flags[flag.name] ?? presetFlag(flag, draft.preset);
}

/** Sets a flag; a value equal to the preset's removes the change. */
export function withFlag(draft: MartiDraft, flag: MartiFlag, text: string): MartiDraft {
  const { [flag.name]: _before, ...others } = draft.flags;
  const isUsual = text.trim() === presetFlag(flag, draft.preset);
  return { ...draft, flags: isUsual ? others : { ...others, [flag.name]: text } };
}

/** The error of a flag's text, without the flag's name; null: valid. */
export function flagError(flag: MartiFlag, text: string, preset: MartiPreset): string | null {
  const typed = text.trim();
  if (typed === '') {
    return flag.defaults[preset] === null ? null : 'Enter a value, or reset to the preset.';
  }
  const problem = flagProblem(flag, flagValue(flag, typed));
  if (problem === null) return null;
  const { takes } = flag;
  switch (takes.kind) {
    case 'whole':
    case 'number':
      return `A ${takes.kind === 'whole' ? 'whole ' : ''}number from ${takes.least.toLocaleString('en')} to ${takes.most.toLocaleString('en')}.`;
    case 'pair':
      return `Two numbers from ${takes.least} to ${takes.most}, as in "0 1".`;
    case 'choice':
      return `One of ${takes.choices.join(', ')}.`;
    case 'switch':
    case 'text':
      return problem;
  }
}

export type FlagFilter = { readonly search: string; readonly changedOnly: boolean };

/** The flags that match the filter, in the table's order. */
export function shownFlags(draft: MartiDraft, filter: FlagFilter): readonly MartiFlag[] {
  const words = filter.search
    .toLowerCase()
    .split(/[\s-]+/)
    .filter((word) => word !== '');
  return MARTI_FLAGS.filter((flag) => {
    if (filter.changedOnly && draft.flags[flag.name] === undefined) return false;
    const text = `${flag.name} ${flag.label} ${flag.help}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
