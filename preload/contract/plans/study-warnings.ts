import type { StudyWarning } from '../study';

/** Warnings with one text in every configuration (of two or more) become one about the study. */
export function withSharedWarnings(
  warnings: readonly StudyWarning[],
  configurations: readonly string[],
): StudyWarning[] {
  const having = new Map<string, Set<string>>();
  for (const { configuration, text } of warnings) {
    if (configuration === null) continue;
    having.set(text, (having.get(text) ?? new Set()).add(configuration));
  }
  const listed = new Set<string>();
  return warnings.flatMap((warning) => {
    const { id, configuration, text } = warning;
    const isShared = configurations.length > 1 && having.get(text)?.size === configurations.length;
    if (configuration === null || !isShared) return [warning];
    if (listed.has(text)) return [];
    listed.add(text);
    return [{ id: id.replace(`${configuration}: `, ''), configuration: null, text }];
  });
}

/** What makes further requests useless, by the first word of what a warning is about; without counts, which grow. */
const WASTING: Readonly<Record<string, (agent: string) => string>> = {
  'failed-calls': (agent) => `Requests to ${agent} fail.`,
  'empty-answers': (agent) => `Many answers of ${agent} are empty.`,
  'cut-answers': (agent) => `Many answers of ${agent} are cut off at the token limit.`,
  'no-program': (agent) => `Most answers of ${agent} contain no program.`,
};

/** What a warning is about, e.g. "cut-answers gpt 4": the same for all configurations that have it. */
export function warningSubject({ id, configuration }: Pick<StudyWarning, 'id' | 'configuration'>): string {
  return configuration === null ? id : id.slice(`${configuration}: `.length);
}

/** The loss that further requests would add to, so that pausing saves what the rest would cost; null: none. */
export function wastedRequests(warning: Pick<StudyWarning, 'id' | 'configuration'>): string | null {
  const [kind = '', ...agent] = warningSubject(warning).split(' ');
  return agent.length === 0 ? null : (WASTING[kind]?.(agent.join(' ')) ?? null);
}
