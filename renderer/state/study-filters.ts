import { assertNever } from '../../preload/contract/assert-never';
import { scalesOf } from '../../preload/contract/plans/index';
import type { Study, StudyView } from '../../preload/contract/study';

export const STUDY_GROUPS = ['all', 'active', 'finished', 'paused', 'failed'] as const;
export type StudyGroup = (typeof STUDY_GROUPS)[number];

export type StudyFilter = {
  readonly group: StudyGroup;
  /** Empty: every scale. */
  readonly scale: string;
  /** Empty: any, and none. */
  readonly tag: string;
  /** Words that must occur in its name, note, tags, configurations, agents, benchmark or id, in any order. */
  readonly text: string;
};

export function groupOfStudy({ state }: Pick<StudyView, 'state'>): Exclude<StudyGroup, 'all'> {
  switch (state.kind) {
    case 'queued':
    case 'preparing':
    case 'running':
    case 'pausing':
      return 'active';
    case 'finished':
      return 'finished';
    case 'planned':
    case 'paused':
    case 'cancelled':
      return 'paused';
    case 'interrupted':
    case 'missing':
    case 'failed':
      return 'failed';
    default:
      return assertNever(state);
  }
}

/** The constant searchable text of a study, cached because every keystroke searches all studies. */
const searchTexts = new WeakMap<Study, string>();

function searchText(study: Study): string {
  const cached = searchTexts.get(study);
  if (cached !== undefined) return cached;
  const searched = new Set([study.id, study.name]);
  for (const { configuration, benchmarkId, team } of study.runs) {
    searched.add(configuration).add(benchmarkId);
    for (const { name } of team.agents) searched.add(name);
  }
  const text = [...searched].join(' ').toLowerCase();
  searchTexts.set(study, text);
  return text;
}

/** The studies that match the filter, in their order. */
export function filterStudies(views: readonly StudyView[], filter: StudyFilter): readonly StudyView[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return views.filter((view) => {
    const { study, tags = [], note = '' } = view;
    if (filter.group !== 'all' && groupOfStudy(view) !== filter.group) return false;
    if (filter.scale !== '' && !scalesOf(study).some((scale) => scale === filter.scale)) return false;
    if (filter.tag !== '' && !tags.includes(filter.tag)) return false;
    if (words.length === 0) return true;
    const text = `${searchText(study)} ${note.toLowerCase()} ${tags.join(' ').toLowerCase()}`;
    return words.every((word) => text.includes(word));
  });
}

export function studyGroupCounts(views: readonly StudyView[]): Readonly<Record<StudyGroup, number>> {
  const counts = { all: views.length, active: 0, finished: 0, paused: 0, failed: 0 };
  for (const view of views) counts[groupOfStudy(view)] += 1;
  return counts;
}

/** All tags, the most common first. */
export function knownTags(views: readonly StudyView[]): readonly string[] {
  const times = new Map<string, number>();
  for (const { tags = [] } of views) for (const tag of tags) times.set(tag, (times.get(tag) ?? 0) + 1);
  return [...times.keys()].sort((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0) || (a < b ? -1 : 1));
}
