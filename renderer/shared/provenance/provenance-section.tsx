import { type ReactNode, useState } from 'react';
import { capitalised, provenanceFacts, provenanceText } from '../../../preload/contract/plans/index';
import type { Provenance } from '../../../preload/contract/provenance';
import { jobHasEnded, readyValue, useJobs, useProvenance } from '../../state/index';
import { CopyTextButton, Disclosure, ErrorNote, Fact, Facts, Section } from '../../widgets/index';
import styles from './provenance.module.css';

type Part = 'packages' | 'new files' | 'changes';

/** What made the last start of a job, with a button that copies all of it. */
export function ProvenanceSection(props: { readonly jobId: string }) {
  const loaded = useProvenance(props.jobId);
  const jobs = useJobs();
  if (loaded.kind === 'loading') return null;
  const record = loaded.kind === 'ready' ? loaded.value : null;
  const job = (readyValue(jobs) ?? []).find(({ id }) => id === props.jobId);
  const isUnderWay = job !== undefined && !jobHasEnded(job.state);
  return (
    <Section
      title="Where it came from"
      aside={
        record !== null && (
          <CopyTextButton label="Copy where it came from" read={() => provenanceText(record)} />
        )
      }
    >
      {loaded.kind === 'failed' && <ErrorNote message={loaded.error.message} hint={loaded.error.hint} />}
      {loaded.kind === 'ready' && record === null && (
        <p className={styles.nothing}>
          {isUnderWay
            ? 'Not reported yet: a job reports it some seconds after its start.'
            : 'Not recorded: the job ended too early, or was started by an older workbench.'}
        </p>
      )}
      {record !== null && <Recorded record={record} />}
    </Section>
  );
}

function Recorded({ record }: { readonly record: Provenance }): ReactNode {
  const [open, setOpen] = useState<Part | null>(null);
  const { code, python, problems } = record;
  const parts: readonly { readonly id: Part; readonly note: string; readonly text: string }[] = [
    { id: 'packages', note: String(python?.packages.length ?? 0), text: (python?.packages ?? []).join('\n') },
    { id: 'new files', note: String(code?.untracked.length ?? 0), text: (code?.untracked ?? []).join('\n') },
    { id: 'changes', note: code?.isCut ? 'cut' : '', text: code?.diff ?? '' },
  ];
  return (
    <>
      <Facts label="Where it came from">
        {provenanceFacts(record).map(({ name, text }) => (
          <Fact key={`${name} ${text}`} name={name} mono={name === 'Folder' || name === 'Repository'}>
            {text}
          </Fact>
        ))}
      </Facts>
      {problems.map((problem) => (
        <p key={problem} className={styles.nothing}>
          {problem}
        </p>
      ))}
      {parts
        .filter(({ text }) => text !== '')
        .map(({ id, note, text }) => (
          <Disclosure
            key={id}
            label={capitalised(id)}
            note={note}
            open={open === id}
            onToggle={() => setOpen(open === id ? null : id)}
          >
            <pre className={styles.text} data-selectable>
              {text}
            </pre>
          </Disclosure>
        ))}
    </>
  );
}
