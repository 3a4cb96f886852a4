import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { BenchmarkFormat } from '../../preload/contract/commands/index';
import { BENCHMARK_FORMATS, PUBLISHED_FORMATS } from '../../preload/contract/plans/index';
import type { Refusal } from '../../preload/contract/refusal';
import { PathInput } from '../shared/machines/index';
import { LOCAL_MACHINE, readyValue, useServiceInfo, useTask, useWorkbench } from '../state/index';
import { taskLabel, taskShare } from '../text/tasks';
import { CommandText, Dialog, Hint, Select, TaskLine } from '../widgets/index';
import styles from './library.module.css';

const FORMATS: readonly { readonly value: BenchmarkFormat; readonly label: string }[] = [
  { value: 'auto', label: 'Detect from the first rows' },
  ...PUBLISHED_FORMATS.map((format) => ({ value: format, label: BENCHMARK_FORMATS[format].label })),
  { value: 'workbench', label: "The workbench's own JSON lines" },
];

/** The required fields of an own problem (docs/benchmarks.md). */
const OWN_PROBLEM =
  '{"id": "sum", "statement": "Print the sum.", "privateTests": [{"kind": "stdin", "input": "1 2\\n", "expected": "3\\n"}]}';

type Fields = {
  readonly format: BenchmarkFormat;
  readonly id: string;
  readonly version: string;
  readonly licence: string;
  readonly from: string;
  readonly to: string;
  readonly hub: string;
  readonly files: string;
  readonly there: string;
};
const EMPTY: Fields = {
  format: 'auto',
  id: '',
  version: '',
  licence: '',
  from: '',
  to: '',
  hub: '',
  files: '',
  there: '',
};

/** The fields that hold a day. */
const DAYS: readonly (keyof Fields)[] = ['from', 'to'];

function dayError(text: string): string | null {
  const day = text.trim();
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day));
  return day === '' || isDay ? null : 'A day such as 2025-01-01';
}

type Where = { readonly folder?: boolean; readonly there?: string; readonly markUnparsed?: boolean };

/** A benchmark from a file, a folder or the hub, with what its files do not say of themselves. */
export function ImportDialog(props: { readonly onClose: () => void }) {
  const { libraryCommands, tasks } = useWorkbench();
  const running = useTask('import');
  // For a service that the window shows: its files, in addition to those of this computer.
  const machine = readyValue(useServiceInfo())?.through ?? null;
  const [fields, setFields] = useState<Fields>(EMPTY);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  // The import that was refused, with what it was refused for marked.
  const [repeat, setRepeat] = useState<() => Promise<void>>();
  const set = (part: Partial<Fields>): void => setFields({ ...fields, ...part });
  const given = (text: string, key: string) => (text.trim() === '' ? {} : { [key]: text.trim() });
  const options = {
    format: fields.format,
    ...given(fields.id, 'id'),
    ...given(fields.version, 'version'),
    ...given(fields.licence, 'licence'),
    ...given(fields.from, 'from'),
    ...given(fields.to, 'to'),
  };
  const finish = (refused: Refusal | null): void => {
    if (refused === null) props.onClose();
    else if (refused.code !== 'cancelled') setRefusal(refused);
  };
  const choose = async (where: Where): Promise<void> => {
    setRefusal(null);
    setRepeat(() => () => choose({ ...where, markUnparsed: true }));
    finish(await libraryCommands.importBenchmark({ ...options, ...where }, true));
  };
  const download = async (markUnparsed = false): Promise<void> => {
    setRefusal(null);
    setRepeat(() => () => download(true));
    const files = fields.files.split(/[\s,]+/).filter((name) => name !== '');
    finish(
      await libraryCommands.importFromHub({
        name: fields.hub.trim(),
        ...(files.length > 0 ? { files } : {}),
        ...options,
        markUnparsed,
      }),
    );
  };
  const typed = (field: Exclude<keyof Fields, 'format'>, label: string, placeholder: string) => (
    <TextInput
      label={label}
      placeholder={placeholder}
      autoComplete="off"
      spellCheck={false}
      value={fields[field]}
      error={DAYS.includes(field) ? dayError(fields[field]) : null}
      onChange={(event) => set({ [field]: event.currentTarget.value })}
    />
  );
  const isWrong = DAYS.some((field) => dayError(fields[field]) !== null);
  const close = (): void => {
    if (running !== null) void tasks.cancel('import');
    props.onClose();
  };
  const dated = fields.format === 'auto' || fields.format === 'livecodebench';
  return (
    <Dialog opened onClose={close} title="Import a benchmark" size="lg" withCloseButton={false}>
      <div className={styles.importing}>
        <Select
          label="Format"
          allowDeselect={false}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          value={fields.format}
          data={[...FORMATS]}
          onChange={(value) =>
            set({ format: FORMATS.find((format) => format.value === value)?.value ?? 'auto' })
          }
        />
        {typed('id', 'Id', 'from the name of the file')}
        {typed('version', 'Version', 'from the file')}
        {typed('licence', 'Licence', 'from the file')}
        {dated && typed('from', 'Contests from', '2025-01-01')}
        {dated && typed('to', 'Contests to', '2025-04-30')}
      </div>
      {(fields.format === 'auto' || fields.format === 'workbench') && (
        <div className={styles.own}>
          <p>
            {fields.format === 'auto' && 'A file in one of these formats, as it was published, or your own: '}
            JSON lines, a problem a line. The least that a problem of your own needs:
          </p>
          <CommandText label="the problem" text={OWN_PROBLEM} />
        </div>
      )}
      <Group gap="sm" mt="md">
        <Button data-autofocus disabled={running !== null || isWrong} onClick={() => void choose({})}>
          Choose a file
        </Button>
        <Button
          variant="default"
          disabled={running !== null || isWrong}
          onClick={() => void choose({ folder: true })}
        >
          Choose a folder
        </Button>
      </Group>
      {machine !== null && (
        <div className={`${styles.hub} ${styles.there}`}>
          <PathInput
            machineId={LOCAL_MACHINE}
            label={`Or a file or folder on ${machine}`}
            placeholder="/data/benchmarks/test.jsonl"
            value={fields.there}
            onChange={(there) => set({ there })}
          />
          <Button
            variant="default"
            disabled={running !== null || isWrong || fields.there.trim() === ''}
            onClick={() => void choose({ there: fields.there.trim() })}
          >
            Import
          </Button>
        </div>
      )}
      <div className={styles.hub}>
        {typed('hub', 'Or a Hugging Face data set', 'livecodebench/code_generation_lite')}
        {typed('files', 'Files', 'all of this format')}
        <Button
          variant="default"
          disabled={running !== null || isWrong || !/^[\w.-]+\/[\w.-]+$/.test(fields.hub.trim())}
          onClick={() => void download()}
        >
          Download
        </Button>
      </div>
      {running !== null && (
        <div className={styles.importTask}>
          <TaskLine
            label={taskLabel(running)}
            share={taskShare(running)}
            onCancel={() => void tasks.cancel('import')}
          />
        </div>
      )}
      {refusal !== null && (
        <div className={styles.refused} role="alert">
          <span data-selectable>{refusal.message}</span>
          {refusal.hint !== undefined && <Hint text={refusal.hint} />}
        </div>
      )}
      <Group justify="flex-end" mt="md">
        {refusal?.cause === 'tests' && (
          <Button variant="default" onClick={() => void repeat?.()}>
            Import anyway
          </Button>
        )}
        <Button variant="default" onClick={close}>
          {running === null ? 'Close' : 'Cancel'}
        </Button>
      </Group>
    </Dialog>
  );
}
