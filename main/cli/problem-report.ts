import { type DiagnosticsPartId, diagnosticsPartIdSchema } from '../../preload/contract/index';
import { diagnosticsText, type ShownPart } from '../../preload/contract/plans/index';
import { type CliOptions, UsageError } from './cli-options';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';

const PARTS = diagnosticsPartIdSchema.options;

/** Collects the report of a problem, writes it to `path`, and prints what was written. */
export async function writeProblemReport(
  workbench: Host,
  {
    path,
    machineId,
    options,
  }: {
    readonly path: string;
    /** The machine that the doctor checks. */
    readonly machineId: string;
    readonly options: CliOptions;
  },
): Promise<number> {
  const leftOut = partsNamed(options.text('without') ?? '');
  const partIds = PARTS.filter((part) => !leftOut.includes(part));
  if (partIds.includes('doctor')) printStatus('Collecting; what the doctor checks can take a minute.');
  const note = await ask(workbench, 'diagnostics.hide', { text: options.text('note') ?? '' });
  if (!note.ok) return printRefusal(note.error);
  const answers = await Promise.all(
    partIds.map((part) => ask(workbench, 'diagnostics.part', { part, machineId })),
  );
  const parts: ShownPart[] = [];
  for (const answer of answers) {
    if (!answer.ok) return printRefusal(answer.error);
    parts.push({ id: answer.value.id, part: answer.value });
  }
  const text = diagnosticsText({ note: note.value.text, parts, madeAt: new Date().toISOString() });
  const overwrite = options.flag('overwrite');
  const written = await ask(workbench, 'diagnostics.write', { path, text, overwrite });
  if (!written.ok) return printRefusal(written.error);
  if (options.flag('json')) printJson({ ...written.value, parts });
  else process.stdout.write(text);
  printStatus(`Written: ${written.value.path}. Nothing was sent: read it, then give it to whom you like.`);
  return EXIT.done;
}

function partsNamed(list: string): readonly DiagnosticsPartId[] {
  return list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .map((word) => {
      const part = PARTS.find((name) => name === word);
      if (part === undefined) throw new UsageError(`--without takes ${PARTS.join(', ')}, not "${word}".`);
      return part;
    });
}
