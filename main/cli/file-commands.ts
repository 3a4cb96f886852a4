import { access } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { counted, printableText } from '../base/index';
import type { CliOptions } from './cli-options';
import { connectedMachine } from './connect-machine';
import { type CommandSpec, JSON_OPTION, option } from './grammar';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { columns } from './report';
import { withTaskProgress } from './task-progress';

/** Milliseconds between two reads of a file that is followed. */
const FOLLOW_EVERY_MS = 500;
/** Bytes of a file read at once. */
const PIECE_BYTES = 262_144;

export const fileCommands: readonly CommandSpec[] = [
  {
    usage: 'files <machine> [folder]',
    about: 'list a folder there (default: the home folder)',
    details: 'Paths there begin with "/" or "~/"; quote the latter, or your shell replaces it.',
    options: [JSON_OPTION],
    run: listFolder,
  },
  {
    usage: 'tail <machine> <file>',
    about: 'print the end of a file there',
    options: [
      option('--bytes <n>', 'how much of it, 1 to 1048576 (default: 16384)'),
      option('-f, --follow', 'go on as it grows, until Ctrl+C'),
    ],
    run: printEnd,
  },
  {
    usage: 'download <machine> <file>',
    about: 'copy a file from there to this computer',
    details: `An interrupted copy stays as FILE.part, and the same command continues it. The copy gets its
name once its SHA-256 is that of the file there.`,
    options: [option('--out <path>', 'where to (default: its name, in this folder)'), JSON_OPTION],
    run: download,
  },
];

async function listFolder(workbench: Host, options: CliOptions): Promise<number> {
  const machineId = options.word(0, 'The machine');
  const connected = await connectedMachine(workbench, machineId);
  if (typeof connected === 'number') return connected;
  const listed = await ask(workbench, 'machine.files', { machineId, folder: options.words[1] ?? '~' });
  if (!listed.ok) return printRefusal(listed.error);
  if (options.flag('json')) return printJson(listed.value);
  const { folder, files, more, unreadable } = listed.value;
  printStatus(printableText(folder));
  const rows = files.map(({ name, kind, bytes, changedAt }) => [
    kind === 'folder' ? 'folder' : kind === 'file' ? String(bytes) : kind,
    kind === 'link' ? '-' : changedAt.slice(0, 16).replace('T', ' '),
    `${printableText(name)}${kind === 'folder' ? '/' : ''}`,
  ]);
  if (rows.length > 0) {
    process.stdout.write(`${columns(['bytes', 'changed (UTC)', 'name'], rows).join('\n')}\n`);
  }
  if (more > 0) printStatus(`${counted(more, 'more name is', 'more names are')} not listed.`);
  if (unreadable > 0) {
    printStatus(`Not listed: ${counted(unreadable, 'name')} with line breaks or in another encoding.`);
  }
  return EXIT.done;
}

async function printEnd(workbench: Host, options: CliOptions): Promise<number> {
  const machineId = options.word(0, 'The machine');
  const path = options.word(1, 'The file');
  const connected = await connectedMachine(workbench, machineId);
  if (typeof connected === 'number') return connected;
  const bytes = options.count('bytes', 1, 1_048_576) ?? 16_384;
  let piece = await ask(workbench, 'machine.readFile', { machineId, path, offset: -bytes, maxBytes: bytes });
  if (!piece.ok) return printRefusal(piece.error);
  if (piece.value.isBinary) {
    return printRefusal({
      code: 'bad-input',
      message: `${path} is not a text file.`,
      hint: 'Copy it with: mars2 machines download',
    });
  }
  let offset = 0;
  for (;;) {
    if (piece.ok) {
      process.stdout.write(printable(piece.value.text));
      offset = piece.value.nextOffset;
    } else if (piece.error.code !== 'unreachable') return printRefusal(piece.error);
    if (!options.flag('follow')) return EXIT.done;
    await new Promise((done) => setTimeout(done, FOLLOW_EVERY_MS));
    piece = await ask(workbench, 'machine.readFile', { machineId, path, offset, maxBytes: PIECE_BYTES });
  }
}

/** On a terminal without the control sequences of a foreign file, which could change what stands there. */
function printable(text: string): string {
  return process.stdout.isTTY ? text.replace(/[^\P{Cc}\n\t]+/gu, ' ') : text;
}

async function download(workbench: Host, options: CliOptions): Promise<number> {
  const machineId = options.word(0, 'The machine');
  const path = options.word(1, 'The file');
  const to = resolve(options.text('out') ?? basename(path));
  const isTaken = await access(to).then(
    () => true,
    () => false,
  );
  if (isTaken) {
    return printRefusal({
      code: 'conflict',
      message: `${to} exists already, so nothing was copied.`,
      hint: 'Name another place with --out.',
    });
  }
  const connected = await connectedMachine(workbench, machineId);
  if (typeof connected === 'number') return connected;
  const saved = await withTaskProgress(workbench, 'file-download', () =>
    ask(workbench, 'machine.saveFile', { machineId, path, to }),
  );
  if (!saved.ok) return printRefusal(saved.error);
  if (options.flag('json')) return printJson(saved.value);
  printStatus(`${saved.value.path}: ${saved.value.bytes} bytes, the same as there.`);
  return EXIT.done;
}
