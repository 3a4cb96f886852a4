import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { ALL_OF_PAPERS } from '../../preload/contract/plans/index';
import { ThumbnailLegend } from '../shared/exhibits/index';
import { OpenBundleButton, useOpenBundle } from '../shared/reports/index';
import { readyValue, useExhibits, useReproductions, useWorkbench } from '../state/index';
import { reproductionStatus } from '../text/exhibits';
import {
  EmptyState,
  FailedState,
  LoadingState,
  plural,
  Screen,
  Section,
  StateMark,
  TimeAgo,
} from '../widgets/index';
import { ExhibitCard } from './exhibit-card';
import { papersOf } from './exhibit-views';
import styles from './list.module.css';

/** A gallery of the papers' tables and figures in their order, with the current state of each at both scales. */
export function ExhibitsScreen() {
  const loaded = useExhibits();
  const { exhibits, location } = useWorkbench();
  const reproductions = readyValue(useReproductions()) ?? [];
  const bundle = useOpenBundle(({ reproductionIds, studyIds, experimentIds = [] }) => {
    const [reproductionId] = reproductionIds;
    const [studyId] = studyIds;
    const [experimentId] = experimentIds;
    if (reproductionId !== undefined) location.go({ kind: 'reproduction', reproductionId });
    else if (studyId !== undefined) location.go({ kind: 'study', studyId });
    else if (experimentId !== undefined) location.go({ kind: 'experiment', experimentId });
  });
  const list = readyValue(loaded);
  const exhibitIds = new Set((list?.exhibits ?? []).map(({ exhibit }) => exhibit.id));
  // From another lab's bundle, for an exhibit that this lab does not have.
  const orphans = list === null ? [] : reproductions.filter(({ order }) => !exhibitIds.has(order.exhibitId));
  return (
    <Screen
      title="Exhibits"
      aside={list !== null && list.exhibits.length > 0 && <ThumbnailLegend />}
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
        <Section
          key={paper.title}
          title={paper.title}
          aside={paper.arxiv !== null && <span className={styles.soft}>arXiv {paper.arxiv}</span>}
        >
          <ul className={styles.gallery} aria-label={`Exhibits of ${paper.title}`}>
            {paper.entries.map((entry) => (
              <ExhibitCard key={entry.exhibit.id} entry={entry} reproductions={reproductions} />
            ))}
          </ul>
        </Section>
      ))}
      {list !== null && list.exhibits.length > 0 && <p className={styles.soft}>{`${ALL_OF_PAPERS}.`}</p>}
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

/** Files that are no exhibits, with what is wrong; they are corrected outside of the window. */
function BrokenFiles(props: {
  readonly files: readonly {
    readonly file: string;
    readonly problems: readonly { readonly path: string; readonly message: string }[];
  }[];
}) {
  const { exhibits } = useWorkbench();
  return (
    <div className={styles.broken} role="alert">
      <h2>{plural(props.files.length, 'exhibit file')} could not be read</h2>
      {props.files.map(({ file, problems }) => (
        <div key={file}>
          <code data-selectable>{file}</code>
          <ul>
            {problems.slice(0, 5).map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                {path !== '' && <code>{path}: </code>}
                {message}
              </li>
            ))}
          </ul>
        </div>
      ))}
      Correct {props.files.length === 1 ? 'it' : 'them'} in a text editor.{' '}
      <Button variant="subtle" size="compact-xs" onClick={exhibits.changed}>
        Read again
      </Button>
    </div>
  );
}
