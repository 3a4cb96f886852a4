import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ExhibitEntry } from '../../preload/contract/exhibit';
import type { ReproductionView } from '../../preload/contract/reproduction';
import { OpenBundleButton, useOpenBundle } from '../shared/reports/index';
import {
  type ExhibitScale,
  pathOf,
  readyValue,
  useExhibits,
  useReproductions,
  useWorkbench,
} from '../state/index';
import { reproductionIsActive, reproductionShare, reproductionStatus } from '../text/exhibits';
import {
  count,
  EmptyState,
  FailedState,
  LoadingState,
  ProgressLine,
  plural,
  roughDuration,
  Screen,
  Section,
  StateMark,
  TimeAgo,
} from '../widgets/index';
import { type ListedPaper, latestProgress, papersOf } from './exhibit-views';
import styles from './list.module.css';

/** The papers' tables and figures, with the progress of their reproduction at both scales. */
export function ExhibitsScreen() {
  const loaded = useExhibits();
  const { exhibits, location } = useWorkbench();
  const reproductions = readyValue(useReproductions()) ?? [];
  const bundle = useOpenBundle(({ reproductionIds, studyIds }) => {
    const [reproductionId] = reproductionIds;
    const [studyId] = studyIds;
    if (reproductionId !== undefined) location.go({ kind: 'reproduction', reproductionId });
    else if (studyId !== undefined) location.go({ kind: 'study', studyId });
  });
  const list = readyValue(loaded);
  const exhibitIds = new Set((list?.exhibits ?? []).map(({ exhibit }) => exhibit.id));
  // From another lab's bundle, for an exhibit that this lab does not have.
  const orphans = list === null ? [] : reproductions.filter(({ order }) => !exhibitIds.has(order.exhibitId));
  return (
    <Screen
      title="Exhibits"
      aside={<span>Tables and figures of papers, reproduced here</span>}
      actions={
        <>
          <OpenBundleButton {...bundle} />
          <Button
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden="true" />}
            onClick={() => location.go({ kind: 'new-exhibit', from: null })}
          >
            New exhibit
          </Button>
        </>
      }
    >
      {loaded.kind === 'loading' && <LoadingState text="Loading the exhibits" />}
      {loaded.kind === 'failed' && (
        <FailedState
          title="The exhibits could not be read"
          message={loaded.error.message}
          hint={loaded.error.hint}
          action={{ label: 'Try again', run: () => exhibits.list.refreshAll() }}
        />
      )}
      {list !== null && list.problems.length > 0 && <BrokenFiles files={list.problems} />}
      {list !== null && list.exhibits.length === 0 && (
        <EmptyState title="No exhibits">
          An exhibit is a file that describes a paper's table or figure: what each cell needs, and the paper's
          value.
        </EmptyState>
      )}
      {papersOf(list?.exhibits ?? []).map((paper) => (
        <PaperPart key={paper.title} paper={paper} reproductions={reproductions} />
      ))}
      {orphans.length > 0 && (
        <Section title="Reproductions whose exhibit is missing">
          <ul className={styles.orphans}>
            {orphans.map((orphan) => (
              <li key={orphan.id}>
                <span>{orphan.title}</span>
                <StateMark {...reproductionStatus(orphan)} />
                <TimeAgo at={orphan.createdAt} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </Screen>
  );
}

function PaperPart(props: {
  readonly paper: ListedPaper;
  readonly reproductions: readonly ReproductionView[];
}) {
  const { paper, reproductions } = props;
  return (
    <Section
      title={paper.title}
      aside={paper.arxiv !== null && <span className={styles.soft}>arXiv {paper.arxiv}</span>}
    >
      <table className={styles.list} aria-label={`Exhibits of ${paper.title}`}>
        <thead>
          <tr>
            <th scope="col">Exhibit</th>
            <th scope="col">Values</th>
            <th scope="col">Pocket scale</th>
            <th scope="col">Paper scale</th>
          </tr>
        </thead>
        <tbody>
          {paper.entries.map((entry) => (
            <ExhibitLine key={entry.exhibit.id} entry={entry} reproductions={reproductions} />
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function ExhibitLine(props: {
  readonly entry: ExhibitEntry;
  readonly reproductions: readonly ReproductionView[];
}) {
  const { entry, reproductions } = props;
  const { exhibit, origin } = entry;
  const values = [
    ...(exhibit.cells.length === 0 ? [] : [plural(exhibit.cells.length, 'cell')]),
    ...(exhibit.series.length === 0 ? [] : [plural(exhibit.series.length, 'line')]),
  ].join(', ');
  return (
    <tr>
      <th scope="row">
        <small>
          {exhibit.place}
          {origin === 'own' && ' · your own'}
        </small>
        <a href={`#${pathOf({ kind: 'exhibit', exhibitId: exhibit.id, scale: 'pocket' })}`}>
          {exhibit.title}
        </a>
      </th>
      <td>{values}</td>
      {(['pocket', 'paper'] as const).map((scale) => (
        <td key={scale}>
          <ScaleProgress entry={entry} scale={scale} reproductions={reproductions} />
        </td>
      ))}
    </tr>
  );
}

function ScaleProgress(props: {
  readonly entry: ExhibitEntry;
  readonly scale: ExhibitScale;
  readonly reproductions: readonly ReproductionView[];
}) {
  const { entry, scale, reproductions } = props;
  const { exhibit } = entry;
  if (exhibit.scales[scale] === null) return <span className={styles.soft}>not at this scale</span>;
  const latest = latestProgress(exhibit.id, scale, reproductions);
  const href = `#${pathOf({ kind: 'exhibit', exhibitId: exhibit.id, scale })}`;
  if (latest === null) {
    return (
      <a className={styles.begin} href={href} aria-label={`${exhibit.title} at ${scale} scale`}>
        Not started
      </a>
    );
  }
  const { view, done, total } = latest;
  return (
    <a className={styles.standing} href={href} aria-label={`${exhibit.title} at ${scale} scale`}>
      <span>
        <StateMark {...reproductionStatus(view)} />
        <small>
          {count(done)} of {count(total)}
          {view.state.kind === 'running' && view.secondsLeft !== null
            ? `, about ${roughDuration(view.secondsLeft * 1_000)} left`
            : ' values'}
        </small>
      </span>
      <ProgressLine
        label={`${exhibit.title}, ${scale} scale`}
        share={reproductionShare(view)}
        still={!reproductionIsActive(view)}
      />
    </a>
  );
}

function BrokenFiles(props: {
  readonly files: readonly {
    readonly file: string;
    readonly problems: readonly { readonly path: string; readonly message: string }[];
  }[];
}) {
  return (
    <div className={styles.broken} role="alert">
      <h2>{plural(props.files.length, 'exhibit file')} could not be read</h2>
      {props.files.map(({ file, problems }) => (
        <div key={file}>
          <code data-selectable>{file}</code>
          <ul>
            {problems.slice(0, 5).map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                {path !== '' && <code>{path}</code>} {message}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
