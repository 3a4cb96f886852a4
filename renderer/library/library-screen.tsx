import { Button, Menu, VisuallyHidden } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Benchmark, Recording } from '../../preload/contract/problem';
import { ScaleTag } from '../shared/studies/index';
import {
  type Loadable,
  pathOf,
  readyValue,
  useBenchmarks,
  useRecordings,
  useWorkbench,
} from '../state/index';
import {
  count,
  EmptyState,
  FailedState,
  LoadingState,
  plural,
  Screen,
  Section,
  TimeAgo,
} from '../widgets/index';
import { ImportDialog } from './import-dialog';
import { ItemMenu } from './item-menu';
import styles from './library.module.css';

/** The problems and the recorded agents that studies can use. */
export function LibraryScreen() {
  const benchmarks = useBenchmarks();
  const recordings = useRecordings();
  const [importing, setImporting] = useState(false);
  return (
    <Screen
      title="Library"
      actions={
        <>
          <ImportRecording benchmarks={readyValue(benchmarks) ?? []} />
          <Button
            variant="default"
            leftSection={<IconFileImport size={14} aria-hidden="true" />}
            onClick={() => setImporting(true)}
          >
            Import benchmark
          </Button>
        </>
      }
    >
      {importing && <ImportDialog onClose={() => setImporting(false)} />}
      <Section title="Benchmarks">
        <Listed
          noun="benchmarks"
          items={benchmarks}
          empty={
            <EmptyState title="No benchmarks">
              The quickstart study creates the pocket benchmark. Import LiveCodeBench, HumanEval, MBPP, APPS
              and others from their published files.
            </EmptyState>
          }
          show={(items) => <BenchmarkTable items={items} />}
        />
      </Section>
      <Section title="Recordings">
        <Listed
          noun="recordings"
          items={recordings}
          empty={
            <EmptyState title="No recordings">
              A recording replays model outputs as an agent, so that published samples can be searched without
              a GPU: JSON lines with a task_id and a completion each, for an imported benchmark.
            </EmptyState>
          }
          show={(items) => <Recordings items={items} benchmarks={readyValue(benchmarks) ?? []} />}
        />
      </Section>
    </Screen>
  );
}

function ImportRecording(props: { readonly benchmarks: readonly Benchmark[] }) {
  const { libraryCommands } = useWorkbench();
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }} disabled={props.benchmarks.length === 0}>
      <Menu.Target>
        <Button
          variant="default"
          disabled={props.benchmarks.length === 0}
          title={props.benchmarks.length === 0 ? 'Import the benchmark of the recording first' : undefined}
          leftSection={<IconFileImport size={14} aria-hidden="true" />}
        >
          Import recording
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Benchmark of the recording</Menu.Label>
        {props.benchmarks.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => void libraryCommands.importRecording(id)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Listed<T>(props: {
  readonly noun: string;
  readonly items: Loadable<readonly T[]>;
  readonly empty: ReactNode;
  readonly show: (items: readonly T[]) => ReactNode;
}) {
  const { items, noun } = props;
  const { benchmarks, recordings } = useWorkbench();
  if (items.kind === 'loading') return <LoadingState text={`Loading the ${noun}`} />;
  if (items.kind === 'failed') {
    return (
      <FailedState
        title={`The ${noun} could not be read`}
        message={items.error.message}
        hint={items.error.hint}
        action={{
          label: 'Try again',
          run: () => {
            benchmarks.refreshAll();
            recordings.refreshAll();
          },
        }}
      />
    );
  }
  return items.value.length === 0 ? props.empty : props.show(items.value);
}

function BenchmarkTable(props: { readonly items: readonly Benchmark[] }) {
  return (
    <table className={styles.table} aria-label="Benchmarks">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Problems</th>
          <th scope="col">Scale</th>
          <th scope="col">Source</th>
          <th scope="col" className={styles.minor}>
            Limits per test
          </th>
          <th scope="col" className={styles.minor}>
            Imported
          </th>
          <th scope="col">
            <VisuallyHidden>Actions</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {props.items.map((benchmark) => {
          const { id, name, problems, scale, source, limits, notes, importedAt, digest } = benchmark;
          return (
            <tr key={id}>
              <th scope="row">
                <a href={`#${pathOf({ kind: 'benchmark', benchmarkId: id, problemId: null })}`}>{name}</a>
                <small title={`SHA-256 ${digest}`}>
                  {id} · {digest.slice(0, 12)}
                </small>
              </th>
              <td>{count(problems)}</td>
              <td>
                <ScaleTag scale={scale} />
              </td>
              <td className={styles.source}>
                {source}
                {versionText(benchmark) !== '' && <small>{versionText(benchmark)}</small>}
                {notes.map((note) => (
                  <small key={note}>{note}</small>
                ))}
                {benchmark.marks.length > 0 && <small>{marksText(benchmark)}</small>}
              </td>
              <td className={styles.minor}>
                {limits.cpuSeconds} s, {Math.round(limits.memoryBytes / 1_048_576)} MiB
              </td>
              <td className={styles.minor}>
                <TimeAgo at={importedAt} />
              </td>
              <td>
                <div className={styles.actions}>
                  <Button
                    component="a"
                    variant="default"
                    size="compact-xs"
                    aria-label={`New study over ${name}`}
                    href={`#${pathOf({ kind: 'new-study', benchmarkId: id })}`}
                  >
                    New study
                  </Button>
                  <ItemMenu item={{ kind: 'benchmark', id }} name={name} />
                </div>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** "2 problems marked, 1 excluded". */
function marksText({ marks }: Benchmark): string {
  const excluded = marks.filter(({ exclude }) => exclude).length;
  return `${plural(marks.length, 'problem')} marked${excluded > 0 ? `, ${excluded} excluded` : ''}`;
}

/** "version v6, licence MIT". */
function versionText({ version, licence }: Benchmark): string {
  return [version === null ? '' : `version ${version}`, licence === null ? '' : `licence ${licence}`]
    .filter((part) => part !== '')
    .join(', ');
}

function Recordings(props: {
  readonly items: readonly Recording[];
  readonly benchmarks: readonly Benchmark[];
}) {
  return (
    <table className={styles.table} aria-label="Recordings">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Samples</th>
          <th scope="col" className={styles.number}>
            Per problem
          </th>
          <th scope="col">Benchmark</th>
          <th scope="col">Source</th>
          <th scope="col" className={styles.minor}>
            Imported
          </th>
          <th scope="col">
            <VisuallyHidden>Actions</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {props.items.map((recording) => (
          <tr key={recording.id}>
            <th scope="row">
              {recording.name}
              <small title={`SHA-256 ${recording.digest}`}>
                {recording.id} · {recording.digest.slice(0, 12)}
              </small>
            </th>
            <td>
              {count(recording.samples)}
              {recording.refinements > 0 && <small>{plural(recording.refinements, 'refinement')}</small>}
            </td>
            <td className={styles.number}>
              {recording.fewestSamples === recording.mostSamples
                ? count(recording.mostSamples)
                : `${count(recording.fewestSamples)} – ${count(recording.mostSamples)}`}
            </td>
            <td className={styles.ofBenchmark}>
              {props.benchmarks.find(({ id }) => id === recording.benchmarkId)?.name ?? recording.benchmarkId}
              <small>{plural(recording.problems, 'problem')}</small>
            </td>
            <td className={styles.source}>{recording.source}</td>
            <td className={styles.minor}>
              <TimeAgo at={recording.importedAt} />
            </td>
            <td>
              <ItemMenu item={{ kind: 'recording', id: recording.id }} name={recording.name} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
