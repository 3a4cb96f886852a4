import {
  flagProblem,
  MARTI_FLAGS,
  type MartiFlag,
  type MartiFlagValue,
  type MartiPreset,
} from '../../preload/contract/plans/index';
import type { MartiDraft } from './marti-draft';

/** What stands where nothing else is typed; empty: the flag is not passed. */
export function presetFlag(flag: MartiFlag, preset: MartiPreset): string {
  const value = flag.defaults[preset];
  return value === null ? '' : String(value);
}

export function flagText(draft: Pick<MartiDraft, 'flags' | 'preset'>, flag: MartiFlag): string {
  return draft.flags[flag.name] ?? presetFlag(flag, draft.preset);
}

/** The flags with one as typed; one that is as the preset has it is no change. */
export function withFlag(draft: MartiDraft, flag: MartiFlag, text: string): MartiDraft {
  const { [flag.name]: _before, ...others } = draft.flags;
  const isUsual = text.trim() === presetFlag(flag, draft.preset);
  return { ...draft, flags: isUsual ? others : { ...others, [flag.name]: text } };
}

/** What a flag's text means; a text that means nothing stays one, for whoever checks it. */
export function flagValue(flag: MartiFlag, text: string): MartiFlagValue {
  switch (flag.takes.kind) {
    case 'switch':
      return text === 'true';
    case 'whole':
    case 'number':
      return text === '' ? '' : Number.isNaN(Number(text)) ? text : Number(text);
    case 'pair':
    case 'choice':
    case 'text':
      return text;
  }
}

/** Where the flag's text is not what it takes; a sentence for the field, which has the name already. */
export function flagError(flag: MartiFlag, text: string, preset: MartiPreset): string | null {
  const typed = text.trim();
  if (typed === '') {
    return flag.defaults[preset] === null ? null : 'Needs a value; Reset brings back the usual one.';
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

/** The flags of the table that the filter lets through, in its order. */
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
