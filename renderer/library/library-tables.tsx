import { Button, VisuallyHidden } from '@mantine/core';
import type { Benchmark, Recording } from '../../preload/contract/problem';
import { BenchmarkTag } from '../shared/studies/index';
import { pathOf, useWorkbench } from '../state/index';
import { count, plural, TimeAgo, useContextMenu } from '../widgets/index';
import { ItemMenu, useItemActions } from './item-menu';
import styles from './library.module.css';

/** The benchmarks, a row each. */
export function BenchmarkTable(props: { readonly items: readonly Benchmark[] }) {
  return (
    <table className={styles.table} aria-label="Benchmarks">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Problems</th>
          <th scope="col">Kind</th>
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
        {props.items.map((benchmark) => (
          <BenchmarkRow key={benchmark.id} benchmark={benchmark} />
        ))}
      </tbody>
    </table>
  );
}

function BenchmarkRow({ benchmark }: { readonly benchmark: Benchmark }) {
  const { id, name, problems, scale, source, limits, notes, importedAt, digest } = benchmark;
  const { location } = useWorkbench();
  const { actions, dialogs } = useItemActions({ kind: 'benchmark', id }, name);
  const { openMenu, menu } = useContextMenu(`Actions of ${name}`);
  const at = [
    { label: 'Open', run: () => location.go({ kind: 'benchmark', benchmarkId: id, problemId: null }) },
    { label: 'New study', run: () => location.go({ kind: 'new-study', benchmarkId: id }) },
  ];
  return (
    <tr onContextMenu={(event) => openMenu(event, [...at, ...actions])}>
      <th scope="row">
        <a href={`#${pathOf({ kind: 'benchmark', benchmarkId: id, problemId: null })}`}>{name}</a>
        <small title={`SHA-256 ${digest}`}>
          {id} · {digest.slice(0, 12)}
        </small>
      </th>
      <td>{count(problems)}</td>
      <td>
        <BenchmarkTag scale={scale} />
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
          <ItemMenu actions={actions} name={name} />
          {menu}
          {dialogs}
        </div>
      </td>
    </tr>
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

/** The recordings, a row each. */
export function RecordingTable(props: {
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
          <RecordingRow
            key={recording.id}
            recording={recording}
            benchmark={props.benchmarks.find(({ id }) => id === recording.benchmarkId) ?? null}
          />
        ))}
      </tbody>
    </table>
  );
}

function RecordingRow(props: { readonly recording: Recording; readonly benchmark: Benchmark | null }) {
  const { recording, benchmark } = props;
  const { id, name } = recording;
  const { actions, dialogs } = useItemActions({ kind: 'recording', id }, name);
  const { openMenu, menu } = useContextMenu(`Actions of ${name}`);
  return (
    <tr onContextMenu={(event) => openMenu(event, actions)}>
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
        {benchmark?.name ?? recording.benchmarkId}
        <small>{plural(recording.problems, 'problem')}</small>
      </td>
      <td className={styles.source}>{recording.source}</td>
      <td className={styles.minor}>
        <TimeAgo at={recording.importedAt} />
      </td>
      <td>
        <ItemMenu actions={actions} name={name} />
        {menu}
        {dialogs}
      </td>
    </tr>
  );
}
