import type { StudyOutcomes } from '../../preload/contract/outcomes';
import type { StudyView } from '../../preload/contract/study';
import { configurationsOf } from './results';

export type ToldWarning = { readonly configuration: string | null; readonly text: string };

/**
 * The warnings of a study, each once, in main's order: configuration by configuration. A study that has come to rest without any of its own has those of
 * its journals' summaries.
 */
export function toldWarnings(view: StudyView, outcomes: StudyOutcomes | null): readonly ToldWarning[] {
  const kept = outcomes?.runs.flatMap(({ warnings }) => warnings) ?? [];
  const configurations = configurationsOf(view.study);
  return [...new Set(view.warnings.length > 0 ? view.warnings : kept)].map((warning) => {
    // Of "single" and "single: two roles" the longer one is meant where both fit.
    const configuration =
      configurations
        .filter((name) => warning.startsWith(`${name}: `))
        .sort((a, b) => b.length - a.length)[0] ?? null;
    const rest = configuration === null ? warning : warning.slice(configuration.length + 2);
    return { configuration, text: `${rest.charAt(0).toUpperCase()}${rest.slice(1)}` };
  });
}

/** What the button that repairs a journal says, and what it will do. */
export function repairWords(label: string) {
  return {
    label: 'Repair',
    title: `Repair the journal of ${label}?`,
    about:
      'What can be trusted of it is written to a new journal in its place. The damaged file is kept beside it, so nothing is lost for good. Resuming the study then searches again what is missing.',
    keep: 'Leave it as it is',
  } as const;
}
