import { requiredSeeds } from '../../preload/contract/plans/index';
import { count, plural } from '../widgets/index';
import { readLists } from '../widgets/typed-values';
import { shownLists } from './check-variants';
import type { StudyDraft } from './study-draft';

/**
 * "164 problems × (60 nodes + 8 samples per agent) × 2 seeds", with several values of N "(8 + 16 + 24 nodes + 3 × 8 samples per
 * agent)"; an upper bound, as recordings may end earlier.
 */
export function workText(draft: StudyDraft, problems: number): string {
  const { fields } = readLists(shownLists(draft.sweep, draft.method));
  const nodesField = fields.find(({ id }) => id === 'nodes');
  const given = nodesField?.values ?? [draft.nodes];
  const sizes = given.length > 0 ? given : [''];
  const others = fields.filter(({ id }) => id !== 'nodes');
  const variants = others.reduce((product, { values }) => product * values.length, 1);
  const samples = draft.samplesPerAgent.trim();
  const nodes = `${sizes.map(formattedNumber).join(' + ')} ${sizes.join().trim() === '1' ? 'node' : 'nodes'}`;
  const times = sizes.length > 1 ? `${sizes.length} × ` : '';
  const perAgent = `${times}${formattedNumber(samples)} ${samples === '1' ? 'sample' : 'samples'} per agent`;
  const isSum = samples !== '0' || sizes.length > 1;
  const parts = samples === '0' ? nodes : `${nodes} + ${perAgent}`;
  const read = requiredSeeds(draft.seeds);
  const seeds = read.ok ? read.value.length : 1;
  return [
    `${plural(problems, 'problem')} × ${isSum ? `(${parts})` : parts}`,
    ...(variants > 1 ? [`${variants} variants`] : []),
    ...(seeds > 1 ? [`${seeds} seeds`] : []),
  ].join(' × ');
}

/** A typed number as numbers are written. */
function formattedNumber(text: string): string {
  const typed = text.trim();
  return /^\d{1,9}$/.test(typed) ? count(Number(typed)) : typed || '?';
}
