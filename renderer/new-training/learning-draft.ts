import type { Learning, TrainingMethod } from '../../preload/contract/learning';
import type { TrainingTexts } from '../../preload/contract/plans/index';
import { plural } from '../widgets/format';

/** What the drafts of own trainings share. */

/** The texts with defaults in the fields that are not `used`, so that hidden fields cause no errors. */
export function withDefaults(
  texts: TrainingTexts,
  defaults: TrainingTexts,
  used: ReadonlySet<string>,
): TrainingTexts {
  return Object.fromEntries(
    Object.entries(texts).map(([id, text]) => [id, used.has(id) ? text : (defaults[id] ?? text)]),
  );
}

/** Settings that are allowed, but may be a mistake. */
export function learningWarnings(
  method: TrainingMethod,
  { objective, batch, nodes }: Pick<Learning, 'objective' | 'batch' | 'nodes'>,
): readonly string[] {
  if (method === 'base') return [];
  const warnings: string[] = [];
  if (objective.allWrongAdvantage !== 0 && method !== 'grpo-all-wrong') {
    warnings.push(
      'This training gives all-wrong groups an advantage, unlike the papers. Choose a name that tells it apart from the method.',
    );
  }
  if (method === 'grpo-all-wrong' && objective.allWrongAdvantage === 0) {
    warnings.push('The advantage of all-wrong groups is 0; the trainer uses −0.5 for this control.');
  }
  if (batch % nodes !== 0 && objective.group !== 'batch') {
    warnings.push(
      `The batch of ${plural(batch, 'sample')} is no multiple of the group size ${nodes}: the rest is used in the next update.`,
    );
  }
  return warnings;
}
