import { leaderText, methodTitle } from '../../preload/contract/plans/index';
import type { Study, StudyView } from '../../preload/contract/study';
import { HeadlineCurve, headlineText, ScaleTag } from '../shared/studies/index';
import { configurationsOf, scalesOf } from '../state/index';
import { isActive, shareDone, studyStatus } from '../text/studies';
import {
  type Column,
  count,
  duration,
  MiddleEllipsis,
  PickBox,
  ProgressLine,
  percent,
  StateMark,
  TimeAgo,
} from '../widgets/index';
import styles from './studies.module.css';

/** "MARS²-T", or "4 strategies" where the configurations differ. */
function searchText(study: Study): string {
  const titles = new Set(study.runs.map(({ search }) => methodTitle(search)));
  const [title = ''] = titles;
  return titles.size === 1 ? title : `${titles.size} strategies`;
}

const COLUMNS: readonly Column<StudyView>[] = [
  {
    id: 'name',
    isFixed: true,
    label: 'Study',
    track: 'minmax(190px, 3.6fr)',
    cell: (view) => <NameCell view={view} />,
    sortValue: ({ study }) => study.name,
  },
  {
    id: 'state',
    label: 'State',
    track: 'minmax(110px, 0.4fr)',
    cell: (view) => <StateMark {...studyStatus(view)} />,
    sortValue: ({ state }) => state.kind,
  },
  {
    id: 'progress',
    label: 'Progress',
    track: '120px',
    from: 960,
    cell: (view) => (
      <span className={styles.progress}>
        {/* The same in numbers behind it. */}
        <span aria-hidden="true">
          <ProgressLine
            label={`Progress of ${view.study.name}`}
            share={shareDone(view)}
            isStill={!isActive(view.state)}
            width={70}
          />
        </span>
        {percent(shareDone(view), 0)} %
      </span>
    ),
    sortValue: shareDone,
  },
  {
    id: 'headline',
    label: 'Pass@N, %',
    track: '116px',
    right: true,
    isEmpty: ({ headline }) => headline === undefined,
    cell: (view) => <HeadlineCell view={view} />,
    sortValue: ({ headline }) => headline?.value ?? -1,
  },
  {
    id: 'best',
    label: 'Best configuration',
    track: 'minmax(110px, 1.2fr)',
    from: 1_110,
    isEmpty: ({ headline }) => headline === undefined,
    cell: ({ headline }) => {
      const leader = headline === undefined ? '' : leaderText(headline.configuration, headline.level);
      return <span title={leader}>{leader}</span>;
    },
    sortValue: ({ headline }) => headline?.configuration ?? '',
  },
  {
    id: 'note',
    label: 'Note',
    track: 'minmax(120px, 1.6fr)',
    from: 1_608,
    isEmpty: ({ note = '' }) => note === '',
    cell: ({ note = '' }) => (
      <span className={styles.note} title={note}>
        {note}
      </span>
    ),
    sortValue: ({ note = '' }) => note,
  },
  {
    id: 'search',
    label: 'Strategy',
    track: 'minmax(160px, 1fr)',
    from: 1_330,
    cell: ({ study }) => <SearchCell study={study} />,
    sortValue: ({ study }) => searchText(study),
  },
  {
    id: 'configurations',
    label: 'Configurations',
    track: '98px',
    from: 1_390,
    right: true,
    cell: ({ study }) => configurationsOf(study).length,
    sortValue: ({ study }) => configurationsOf(study).length,
  },
  {
    id: 'problems',
    label: 'Problems',
    track: '62px',
    right: true,
    cell: ({ study }) => count(study.runs[0]?.problemIds.length ?? 0),
    sortValue: ({ study }) => study.runs[0]?.problemIds.length ?? 0,
  },
  {
    id: 'candidates',
    label: 'Candidates',
    track: '78px',
    from: 1_478,
    right: true,
    cell: ({ progress }) => count(progress.nodesDone),
    sortValue: ({ progress }) => progress.nodesDone,
  },
  {
    id: 'scale',
    label: 'Scale',
    track: '62px',
    cell: ({ study }) => <ScaleTag scale={scalesOf(study)} />,
    sortValue: ({ study }) => scalesOf(study).join(),
  },
  {
    id: 'time',
    label: 'Time',
    track: '86px',
    from: 990,
    right: true,
    cell: ({ progress }) => duration(progress.elapsedMs),
    sortValue: ({ progress }) => progress.elapsedMs,
  },
  {
    id: 'made',
    label: 'Created',
    track: '86px',
    right: true,
    cell: ({ study }) => <TimeAgo at={study.createdAt} />,
    sortValue: ({ study }) => study.createdAt,
  },
];

/** `picked`: studies selected for comparison. */
export function studyColumns(
  picked: ReadonlySet<string>,
  onPick: (studyId: string) => void,
): readonly Column<StudyView>[] {
  return [
    {
      id: 'pick',
      label: '',
      name: 'Selected',
      isFixed: true,
      track: '18px',
      cell: ({ study }) => (
        <PickBox
          label={`Select ${study.name}`}
          checked={picked.has(study.id)}
          onChange={() => onPick(study.id)}
        />
      ),
    },
    ...COLUMNS,
  ];
}

function SearchCell({ study }: { readonly study: Study }) {
  const text = searchText(study);
  return <span title={text}>{text}</span>;
}

function NameCell({ view }: { readonly view: StudyView }) {
  const { study, tags = [], note = '', fromBundle } = view;
  return (
    <span className={styles.name} title={note === '' ? study.name : `${study.name}: ${note}`}>
      <b>
        <MiddleEllipsis text={study.name} />
      </b>
      {fromBundle !== undefined && <em title={`From the bundle ${fromBundle}, read-only`}>bundle</em>}
      {tags.map((tag) => (
        <i key={tag} title={tag}>
          {tag}
        </i>
      ))}
    </span>
  );
}

function HeadlineCell({ view }: { readonly view: StudyView }) {
  const { headline } = view;
  if (headline === undefined) return null;
  return (
    <span className={styles.headline} title={headlineText(headline)}>
      <HeadlineCurve view={view} headline={headline} />
      <b>{percent(headline.value)}</b>
    </span>
  );
}
