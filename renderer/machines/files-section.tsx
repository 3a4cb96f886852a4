import { Button } from '@mantine/core';
import { IconArrowUp, IconFolderOpen, IconRefresh } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import type { MachineView } from '../../preload/contract/machine';
import type { FileListing, MachineFile } from '../../preload/contract/machine-file';
import { PathInput } from '../shared/machines/index';
import {
  folderKey,
  type LogPaneComponent,
  useFolder,
  useMachineFile,
  useTask,
  useWorkbench,
} from '../state/index';
import { joinPath, shownName } from '../text/machines';
import { taskLabel, taskShare } from '../text/tasks';
import {
  bytes,
  type Column,
  CopyTextButton,
  DataTable,
  FailedState,
  LoadingState,
  plural,
  Section,
  TaskLine,
  TimeAgo,
} from '../widgets/index';
import styles from './files-section.module.css';

/** The files of a machine: folders to walk, the end of a file as it grows, and copies of files to this computer. */
export function FilesSection(props: { readonly machine: MachineView; readonly LogPane: LogPaneComponent }) {
  const { machine, LogPane } = props;
  const [folder, setFolder] = useState<string | null>(null);
  const isConnected = machine.connection.kind === 'connected';
  return (
    <Section
      title="Files"
      aside={
        folder === null && (
          <Button
            variant="default"
            size="compact-sm"
            disabled={!isConnected}
            leftSection={<IconFolderOpen size={14} aria-hidden="true" />}
            onClick={() => setFolder('~')}
          >
            Browse files
          </Button>
        )
      }
    >
      {folder === null ? (
        <p className={styles.soft}>
          Looks into folders there, follows files as they grow, and copies them to this computer. In a
          terminal: mars2 machines files {machine.spec.id}
        </p>
      ) : (
        <Browser machineId={machine.spec.id} folder={folder} onFolder={setFolder} LogPane={LogPane} />
      )}
    </Section>
  );
}

function Browser(props: {
  readonly machineId: string;
  readonly folder: string;
  readonly onFolder: (folder: string) => void;
  readonly LogPane: LogPaneComponent;
}) {
  const { machineId, folder, onFolder, LogPane } = props;
  const { folders, tasks } = useWorkbench();
  const listing = useFolder(machineId, folder);
  const [typed, setTyped] = useState(folder);
  const [chosen, setChosen] = useState<{ readonly path: string; readonly bytes: number } | null>(null);
  const task = useTask('file-download');
  const go = (path: string): void => {
    setTyped(path);
    setChosen(null);
    onFolder(path);
  };
  const here = listing.kind === 'ready' ? listing.value.folder : folder;
  const choose = ({ name, kind, bytes: size }: MachineFile): void => {
    const path = joinPath(here, name);
    if (kind === 'folder') go(path);
    else if (kind === 'file') setChosen({ path, bytes: size });
  };
  return (
    <>
      <form
        className={styles.bar}
        onSubmit={(event) => {
          event.preventDefault();
          const path = typed.trim().replace(/(?<=.)\/$/, '');
          if (/^(\/|~$|~\/)/.test(path)) go(path);
        }}
      >
        <PathInput machineId={machineId} aria-label="Folder" value={typed} onChange={setTyped} />
        <Button type="submit" variant="default">
          Go
        </Button>
        <Button
          variant="default"
          aria-label="To the folder above"
          disabled={here === '/' || !here.startsWith('/')}
          onClick={() => go(here.slice(0, here.lastIndexOf('/')) || '/')}
        >
          <IconArrowUp size={14} aria-hidden="true" />
        </Button>
        <Button
          variant="default"
          aria-label="Read the folder again"
          onClick={() => folders.refresh(folderKey(machineId, folder))}
        >
          <IconRefresh size={14} aria-hidden="true" />
        </Button>
        <CopyTextButton label="Copy the folder's path" read={() => here} />
      </form>
      {listing.kind === 'loading' && <LoadingState text="Reading the folder" />}
      {listing.kind === 'failed' && (
        <FailedState
          title="The folder could not be read"
          message={listing.error.message}
          hint={listing.error.hint}
        />
      )}
      {listing.kind === 'ready' && <Names listing={listing.value} chosen={chosen?.path} onChoose={choose} />}
      {task !== null && (
        <TaskLine
          label={taskLabel(task)}
          share={taskShare(task)}
          onCancel={() => void tasks.cancel('file-download')}
        />
      )}
      {chosen !== null && <FileView key={chosen.path} machineId={machineId} {...chosen} LogPane={LogPane} />}
    </>
  );
}

/** Pixels: of a long list, of its head, of a name. */
const [MAX_HEIGHT, HEAD, ROW] = [280, 34, 26];

const COLUMNS: readonly Column<MachineFile>[] = [
  {
    id: 'name',
    label: 'Name',
    track: 'minmax(160px, 1fr)',
    cell: ({ name, kind }) => `${shownName(name)}${kind === 'folder' ? '/' : ''}`,
    sortValue: ({ name }) => name,
  },
  {
    id: 'size',
    label: 'Size',
    track: '100px',
    right: true,
    cell: ({ kind, bytes: size }) =>
      kind === 'file' ? bytes(size) : kind === 'folder' ? '' : kind === 'link' ? 'broken link' : 'not a file',
    sortValue: ({ bytes: size }) => size,
  },
  {
    id: 'changed',
    label: 'Changed',
    track: '130px',
    cell: ({ kind, changedAt }) => (kind === 'link' ? '' : <TimeAgo at={changedAt} />),
    sortValue: ({ changedAt }) => changedAt,
  },
];

function Names(props: {
  readonly listing: FileListing;
  readonly chosen: string | undefined;
  readonly onChoose: (file: MachineFile) => void;
}) {
  const { folder, files, more, unreadable } = props.listing;
  return (
    <>
      {files.length === 0 ? (
        <p className={styles.soft}>This folder is empty.</p>
      ) : (
        <div className={styles.names} style={{ height: Math.min(MAX_HEIGHT, HEAD + files.length * ROW) }}>
          <DataTable
            label={`Files in ${shownName(folder)}`}
            columns={COLUMNS}
            rows={files}
            rowKey={({ name }) => name}
            rowLabel={({ name, kind }) => `${shownName(name)}: ${kind}`}
            onChoose={props.onChoose}
          />
        </div>
      )}
      {more > 0 && (
        <p className={styles.soft}>
          {plural(more, 'more name')} not listed: type the folder and the beginning of a name to find one.
        </p>
      )}
      {unreadable > 0 && (
        <p className={styles.soft}>
          {plural(unreadable, 'name')} with line breaks or in another encoding not listed.
        </p>
      )}
    </>
  );
}

function FileView(props: {
  readonly machineId: string;
  readonly path: string;
  readonly bytes: number;
  readonly LogPane: LogPaneComponent;
}) {
  const { machineId, path, LogPane } = props;
  const source = useMachineFile(machineId, path);
  return (
    <div className={styles.file}>
      <p className={styles.path} data-selectable>
        {shownName(path)}
      </p>
      <Suspense fallback={<LoadingState text="Opening the file" />}>
        <LogPane label={shownName(path)} source={source} size={props.bytes} live />
      </Suspense>
    </div>
  );
}
