import type { Refusal, Value } from '../../preload/contract/index';
import type { Workbench } from '../app/index';
import type { Result } from '../base/index';

/** Opens a bundle as the button in the window does, says how that went, and shows what it holds. */
export async function openBundle(
  path: string,
  workbench: Pick<Workbench, 'call' | 'events' | 'goTo'>,
): Promise<void> {
  const notify = (level: 'info' | 'error', message: string): void =>
    workbench.events.emit({ kind: 'notice', level, message });
  const answer = (await workbench.call('bundle.open', { path }, 'terminal')) as Result<
    Value<'bundle.open'>,
    Refusal
  >;
  if (!answer.ok) {
    const { message, hint } = answer.error;
    return notify('error', hint === undefined ? message : `${message} ${hint}`);
  }
  const { name, studyIds, reproductionIds, experimentIds = [], differing } = answer.value;
  if (differing.length === 0) notify('info', `Opened ${name}, read-only.`);
  else
    notify(
      'error',
      `Opened ${name}, read-only. Recomputed from its journals, these tables differ from the bundle's: ${differing.join(', ')}.`,
    );
  const [reproduction] = reproductionIds;
  const [study] = studyIds;
  const [experiment] = experimentIds;
  if (reproduction !== undefined) workbench.goTo(`/reproductions/${encodeURIComponent(reproduction)}`);
  else if (study !== undefined) workbench.goTo(`/studies/${encodeURIComponent(study)}`);
  else if (experiment !== undefined) workbench.goTo(`/experiments/${encodeURIComponent(experiment)}`);
}
