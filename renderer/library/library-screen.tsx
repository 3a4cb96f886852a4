import { Button, Menu } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Benchmark } from '../../preload/contract/problem';
import { type Loadable, readyValue, useBenchmarks, useRecordings, useWorkbench } from '../state/index';
import { EmptyState, FailedState, LoadingState, Screen, Section } from '../widgets/index';
import { ImportDialog } from './import-dialog';
import { BenchmarkTable, RecordingTable } from './library-tables';

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
          show={(items) => <RecordingTable items={items} benchmarks={readyValue(benchmarks) ?? []} />}
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
