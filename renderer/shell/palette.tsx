import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { readyValue, useRoute, useSettings, useStudies, useWorkbench } from '../state/index';
import { isActive, withDistinctNames } from '../text/studies';
import { UNDESCRIBED } from '../widgets/index';
import { generalActions, screenActions } from './palette-actions';
import { PALETTE_LIST, PaletteAnnouncement } from './palette-announcement';
import { exhibitActions, useExhibitEntries } from './palette-exhibits';
import { useExportEntries } from './palette-exports';
import { filterActions } from './palette-filter';
import { jobActions, useJobEntries } from './palette-jobs';
import { libraryActions, useLibraryEntries, useProblemTitles } from './palette-library';
import { machineActions, useMachineEntries } from './palette-machines';
import { searchActions, settingActions } from './palette-search';
import { runActions, studyActions, studyEntry } from './palette-studies';
import { trainingActions, useTrainingEntries } from './palette-trainings';

/** Everything that can be gone to or done, under Ctrl+K (Cmd+K). */
export function Palette(props: { readonly onShowKeys: () => void; readonly onShowTour: () => void }) {
  const state = useWorkbench();
  const route = useRoute();
  const listed = readyValue(useStudies());
  const studies = listed && withDistinctNames(listed);
  const machines = useMachineEntries();
  const jobs = useJobEntries();
  const library = useLibraryEntries();
  const trainings = useTrainingEntries();
  const exhibits = useExhibitEntries();
  const [isOpen, setOpen] = useState(false);
  const theme = useSettings()?.theme ?? 'system';
  const openStudyId = 'studyId' in route ? route.studyId : null;
  const openTrainingId = 'trainingId' in route ? route.trainingId : null;
  const openExhibitId = 'exhibitId' in route ? route.exhibitId : null;
  const open = studies?.find(({ study }) => study.id === openStudyId) ?? null;
  // The open study's benchmark first.
  const titles = useProblemTitles(
    isOpen && studies !== null ? [...(open === null ? [] : [open]), ...studies] : null,
  );
  const openState = open?.state.kind ?? null;
  // For a running study they would be computed again each time.
  const exports = useExportEntries(route, isOpen && !(open !== null && isActive(open.state)));
  const names = studies?.map(({ study, state: now }) => `${study.id} ${now.kind}`).join() ?? '';

  // Progress changes `studies` four times a second; only names and states are shown, so only they count here.
  const actions = useMemo<SpotlightActionData[]>(() => {
    const { onShowKeys, onShowTour } = props;
    return [
      ...screenActions(state, openStudyId),
      ...(open === null ? [] : studyActions(state, open)),
      ...exhibitActions(state, exhibits, openExhibitId),
      ...generalActions(state, { theme, onShowKeys, onShowTour }),
      ...settingActions(state),
      ...machineActions(state, machines),
      ...jobActions(state, jobs),
      ...libraryActions(state, library),
      ...trainingActions(state, trainings, openTrainingId),
      ...(studies ?? []).map((view) => studyEntry(state, view)),
      ...(open === null ? [] : runActions(state, open.study, titles)),
    ];
  }, [
    names,
    machines,
    jobs,
    library,
    titles,
    trainings,
    exhibits,
    openExhibitId,
    openTrainingId,
    openStudyId,
    openState,
    theme,
    state,
  ]);

  return (
    <Spotlight
      actions={[...actions, ...exports]}
      filter={(query, data) =>
        filterActions(query, [
          ...data,
          ...searchActions(query, state, route, studies ?? [], { ...exhibits, ...trainings }, titles),
        ])
      }
      onSpotlightOpen={() => setOpen(true)}
      onSpotlightClose={() => setOpen(false)}
      shortcut={['mod + K']}
      // Also while a text field or the editor has the focus; a shell keeps its keys.
      tagsToIgnore={[]}
      triggerOnContentEditable
      limit={30}
      highlightQuery
      nothingFound="No results"
      maxHeight={440}
      yOffset="12vh"
      overlayProps={{ backgroundOpacity: 0.3, blur: 0 }}
      scrollable
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': 'Palette' }, action: { role: 'option' }, ...UNDESCRIBED }}
      scrollAreaProps={{ id: PALETTE_LIST, role: 'listbox', 'aria-label': 'Results' }}
      searchProps={{
        leftSection: <IconSearch size={16} stroke={1.6} />,
        placeholder: 'Search by name: screens, studies, problems, machines, settings …',
        'aria-label': 'Search the palette',
        role: 'combobox',
        'aria-expanded': true,
        'aria-controls': PALETTE_LIST,
        'aria-autocomplete': 'list',
        rightSection: <PaletteAnnouncement />,
        rightSectionWidth: 0,
      }}
    />
  );
}
