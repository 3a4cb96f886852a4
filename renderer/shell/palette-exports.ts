import type { SpotlightActionData } from '@mantine/spotlight';
import { useEffect, useState } from 'react';
import type { ReportPart, ReportSource } from '../../preload/contract/report';
import type { StudyView } from '../../preload/contract/study';
import {
  exportedPart,
  lastExport,
  type Route,
  useWorkbench,
  type WorkbenchState,
  writeExport,
} from '../state/index';
import type { ExhibitEntries } from './palette-exhibits';
import type { TrainingEntries } from './palette-trainings';

/** What the open screen shows, as a source of tables and figures; null: nothing that can be exported. */
function sourceOf(route: Route): ReportSource | null {
  switch (route.kind) {
    case 'study':
    case 'run':
      return { kind: 'study', studyId: route.studyId };
    case 'compare':
      if (route.studyId !== null) return { kind: 'study', studyId: route.studyId };
      return route.runs === undefined ? null : { kind: 'runs', runs: [...route.runs] };
    case 'reproduction':
      return { kind: 'reproduction', reproductionId: route.reproductionId };
    case 'experiment':
      return { kind: 'experiment', experimentId: route.experimentId };
    default:
      return null;
  }
}

/** The tables and figures of the open screen, asked for when the palette opens: they may have to be computed. */
export function useExportEntries(route: Route, isOpen: boolean): readonly SpotlightActionData[] {
  const state = useWorkbench();
  const [entries, setEntries] = useState<readonly SpotlightActionData[]>([]);
  const key = JSON.stringify(sourceOf(route));
  useEffect(() => {
    setEntries([]);
    const source: ReportSource | null = JSON.parse(key);
    if (!isOpen || source === null) return;
    let over = false;
    void state.client.call('report.parts', { source }).then((answer) => {
      // Without results there is nothing to offer, and nobody has asked for it by name.
      if (!over && answer.ok) setEntries(answer.value.map((part) => exportAction(state, source, part)));
    });
    return () => {
      over = true;
    };
  }, [key, isOpen, state]);
  return entries;
}

function exportAction(state: WorkbenchState, source: ReportSource, part: ReportPart): SpotlightActionData {
  return {
    id: `export-${part.id}`,
    group: 'Exports',
    label: `Export: ${part.title}`,
    description: `${part.kind}, in the format of last time`,
    keywords: ['save', 'csv', 'latex', 'pdf'],
    onClick: () => void writeExport(state, source, [exportedPart(part, lastExport())]),
  };
}

const KEYWORDS = ['export', 'save', 'csv', 'latex', 'pdf', 'tables', 'figures'];

/** Exports of how many of the newest studies are listed: each would be one more entry for "export" alone. */
const MOST = 50;

/**
 * The export dialogs of the recent studies, reproductions and experiments, wherever one is.
 * @param words - of the query, in small letters; without one that asks for an export there is none
 */
export function exportDialogActions(
  words: readonly string[],
  { location }: WorkbenchState,
  studies: readonly StudyView[],
  { reproductions }: Pick<ExhibitEntries, 'reproductions'>,
  { experiments }: Pick<TrainingEntries, 'experiments'>,
): readonly SpotlightActionData[] {
  if (!words.some((word) => KEYWORDS.some((known) => known.startsWith(word)))) return [];
  const dialog = (id: string, name: string, description: string, to: Route): SpotlightActionData => ({
    id: `export-of-${id}`,
    group: 'Exports',
    label: `Export ${name}…`,
    description,
    keywords: [id, ...KEYWORDS],
    onClick: () => location.go(to),
  });
  return [
    ...studies
      .filter(({ state }) => state.kind !== 'missing')
      .slice(0, MOST)
      .map(({ study: { id, name } }) =>
        dialog(id, name, 'study', { kind: 'study', studyId: id, check: 'export' }),
      ),
    ...reproductions.slice(0, MOST).map(({ id, title, exhibitId, scale, description }) =>
      dialog(id, title, `reproduction, ${description}`, {
        ...{ kind: 'exhibit', exhibitId, scale, reproductionId: id, dialog: 'export' },
      }),
    ),
    ...experiments
      .filter(({ hasResults }) => hasResults)
      .slice(0, MOST)
      .map(({ id, name }) =>
        dialog(id, name, 'experiment', { kind: 'experiment', experimentId: id, dialog: 'export' }),
      ),
  ];
}
