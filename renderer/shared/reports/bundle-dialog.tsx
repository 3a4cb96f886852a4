import { Button } from '@mantine/core';
import type { BundleContents } from '../../../preload/contract/report';
import { Dialog } from '../../widgets/dialog';
import { ErrorNote } from '../../widgets/error-note';
import { LoadingState } from '../../widgets/states';
import styles from './bundle-dialog.module.css';
import type { BundleDialogState } from './use-write-bundle';

/** What a bundle would hold and what not, before a file is chosen for it. */
export function BundleDialog(props: BundleDialogState) {
  const { contents, onWrite, onClose } = props;
  return (
    <Dialog opened onClose={onClose} title="Bundle for another lab" size={560}>
      <p className={styles.about}>
        One file that another lab opens in its own workbench, to view, compare and check. You choose where it
        is saved and who gets it.
      </p>
      {contents.kind === 'loading' && <LoadingState text="Looking at what it would hold" />}
      {contents.kind === 'failed' && (
        <ErrorNote message={contents.error.message} hint={contents.error.hint} />
      )}
      {contents.kind === 'ready' && <Contents contents={contents.value} />}
      <div className={styles.foot} data-actions>
        <Button variant="default" onClick={onClose}>
          {contents.kind === 'failed' ? 'Close' : 'Cancel'}
        </Button>
        <Button data-autofocus disabled={contents.kind !== 'ready'} onClick={onWrite}>
          Save as…
        </Button>
      </div>
    </Dialog>
  );
}

function Contents(props: { readonly contents: BundleContents }) {
  const { lines, studies, leftOut } = props.contents;
  const [first, ...others] = lines;
  return (
    <div className={styles.contents}>
      <h3>What it contains</h3>
      <ul>
        <li>
          {studies.length === 1 ? `${first}: ${studies[0]}` : first}
          {studies.length > 1 && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reached by keys too.
            <section className={styles.studies} tabIndex={0} aria-label="Its studies">
              {studies.map((name, at) => (
                <div key={`${at} ${name}`}>{name}</div>
              ))}
            </section>
          )}
        </li>
        {others.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <h3>Left out</h3>
      <ul>
        {leftOut.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}
