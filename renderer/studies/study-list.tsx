import { Button } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import type { Study, StudyView } from '../../preload/contract/study';
import { RenameStudy } from '../shared/studies/index';
import {
  filterStudies,
  knownTags,
  type Route,
  STUDY_GROUPS,
  type StudyGroup,
  studyGroupCounts,
  studyRowActions,
  useStoredState,
  useWorkbench,
} from '../state/index';
import { studyStatus } from '../text/studies';
import {
  DataTable,
  FilterBar,
  FilteredRows,
  FilterGroups,
  FilterSelect,
  FilterText,
  plural,
  Screen,
} from '../widgets/index';
import { studyColumns } from './study-columns';

const GROUP_LABELS: Readonly<Record<StudyGroup, string>> = {
  all: 'All',
  active: 'Active',
  finished: 'Finished',
  paused: 'Not running',
  failed: 'Failed',
};
const SCALES = ['pocket', 'recorded', 'desk', 'paper', 'own'];
const ROW = 32;

const anyText = (text: string): string => text;

function groupNamed(text: string): StudyGroup | null {
  return STUDY_GROUPS.find((group) => group === text) ?? null;
}

/** The comparison of all runs of these studies. */
function compareRoute(views: readonly StudyView[]): Route {
  const [only, ...more] = views;
  if (only !== undefined && more.length === 0) return { kind: 'compare', studyId: only.study.id };
  const runs = views.flatMap(({ study }) => study.runs.map(({ id }) => ({ runId: id })));
  return { kind: 'compare', studyId: null, runs };
}

/** The table of studies with its filters; selected studies can be compared. */
export function StudyList(props: { readonly views: readonly StudyView[]; readonly actions: ReactNode }) {
  const { views, actions } = props;
  const workbench = useWorkbench();
  const { location } = workbench;
  const [group, setGroup] = useStoredState<StudyGroup>('studies.group', 'all', groupNamed);
  const [scale, setScale] = useStoredState<string>('studies.scale', '', anyText);
  const [rememberedTag, setTag] = useStoredState<string>('studies.tag', '', anyText);
  const [text, setText] = useStoredState<string>('studies.text', '', anyText);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [columnsText, setColumnsText] = useStoredState<string>('studies.columns', '', anyText);
  const chosenColumns = useMemo(() => (columnsText === '' ? null : columnsText.split(' ')), [columnsText]);
  const [renaming, setRenaming] = useState<Study | null>(null);
  const tags = knownTags(views);
  // Ignore a remembered tag that no study has any more: it would hide everything.
  const tag = tags.includes(rememberedTag) ? rememberedTag : '';
  const counts = useMemo(
    () => studyGroupCounts(filterStudies(views, { group: 'all', scale, tag, text })),
    [views, scale, tag, text],
  );
  const rows = useMemo(
    () => filterStudies(views, { group, scale, tag, text }),
    [views, group, scale, tag, text],
  );
  const columns = useMemo(
    () =>
      studyColumns(picked, (studyId) => {
        const next = new Set(picked);
        if (!next.delete(studyId)) next.add(studyId);
        setPicked(next);
      }),
    [picked],
  );
  const chosen = views.filter(({ study }) => picked.has(study.id));
  return (
    <Screen
      title="Studies"
      fill
      actions={
        <>
          {chosen.length > 0 && (
            <Button variant="default" onClick={() => location.go(compareRoute(chosen))}>
              Compare {plural(chosen.length, 'study', 'studies')}
            </Button>
          )}
          {actions}
        </>
      }
      below={
        <FilterBar>
          <FilterGroups
            value={group}
            groups={STUDY_GROUPS}
            labels={GROUP_LABELS}
            counts={counts}
            onChange={setGroup}
          />
          <FilterSelect
            label="Scale"
            width={130}
            value={scale}
            options={[
              { value: '', label: 'All scales' },
              ...SCALES.map((value) => ({ value, label: value })),
            ]}
            onChange={setScale}
          />
          {tags.length > 0 && (
            <FilterSelect
              label="Tag"
              width={150}
              value={tag}
              options={[{ value: '', label: 'Any tag' }, ...tags.map((value) => ({ value, label: value }))]}
              onChange={setTag}
            />
          )}
          <FilterText where="Name, note, agent, benchmark" value={text} onChange={setText} />
        </FilterBar>
      }
    >
      <FilteredRows
        shown={rows.length}
        total={views.length}
        nouns="studies"
        onShowAll={() => {
          setGroup('all');
          setScale('');
          setTag('');
          setText('');
        }}
      >
        <DataTable
          label="Studies"
          columns={columns}
          rows={rows}
          rowHeight={ROW}
          rowKey={({ study }) => study.id}
          rowLabel={(view) => `${view.study.name}: ${studyStatus(view).text}`}
          chosenColumns={chosenColumns}
          onChooseColumns={(ids) => setColumnsText(ids === null ? '' : ['name', ...ids].join(' '))}
          onChoose={({ study }) => location.go({ kind: 'study', studyId: study.id })}
          rowActions={(view) => studyRowActions(workbench, view, () => setRenaming(view.study))}
        />
        {renaming !== null && <RenameStudy study={renaming} onClose={() => setRenaming(null)} />}
      </FilteredRows>
    </Screen>
  );
}
