import { COMPARE_VIEWS, type CompareRoute, type CompareView, pathOf } from '../state/index';
import { FactLine, NavTabs, plural } from '../widgets/index';
import { nodesText } from './choice-rows';
import styles from './compare.module.css';
import type { ComparedSelection } from './compared-runs';

const LABELS: Readonly<Record<CompareView, string>> = {
  table: 'Table',
  pairs: 'Differences',
  problems: 'Problems',
  agents: 'Agents',
  diversity: 'Diversity and cost',
  settings: 'Settings',
};

/** Tabs of the comparison, each with its own route. */
export function CompareTabs({ route }: { readonly route: CompareRoute }) {
  return (
    <NavTabs
      label="Parts of the comparison"
      current={route.view ?? 'table'}
      tabs={COMPARE_VIEWS.map((view) => ({
        id: view,
        label: LABELS[view],
        href: `#${pathOf({ ...route, view })}`,
        number: 0,
      }))}
    />
  );
}

/** Study names shown before the rest is counted. */
const MAX_NAMES = 3;

/** One line: what is compared. */
export function CompareHead({ compared }: { readonly compared: ComparedSelection }) {
  const { runs, studies, missing } = compared;
  const chosen = new Set(runs.map(({ runId }) => runId));
  const configs = studies.flatMap(({ study }) => study.runs.filter(({ id }) => chosen.has(id)));
  const seeds = [...new Set(configs.map(({ seed }) => seed))];
  const facts = [
    plural(runs.length, 'run'),
    ...new Set(configs.map(({ benchmarkId }) => benchmarkId)),
    nodesText(configs),
    ...(seeds.length > 1
      ? [`${plural(seeds.length, 'seed')}${seeds.length <= 5 ? ` (${seeds.join(', ')})` : ''}`]
      : []),
    ...(missing > 0 ? [`${plural(missing, 'run')} not found`] : []),
  ];
  return (
    <div className={styles.head}>
      <span className={styles.studies}>
        {studies.slice(0, MAX_NAMES).map(({ study }) => (
          <a key={study.id} href={`#${pathOf({ kind: 'study', studyId: study.id })}`}>
            {study.name}
          </a>
        ))}
        {studies.length > MAX_NAMES && (
          <span title={studies.map(({ study }) => study.name).join('\n')}>
            and {plural(studies.length - MAX_NAMES, 'more study', 'more studies')}
          </span>
        )}
      </span>
      <FactLine label="What is compared" facts={facts} />
    </div>
  );
}
