import type { DiagnosticsPart, DiagnosticsPartId } from '../diagnostics';

/** The parts of the report of a problem: their titles, and what each is made of. */
export const DIAGNOSTICS_PARTS: readonly {
  readonly id: DiagnosticsPartId;
  readonly title: string;
  readonly about: string;
}[] = [
  { id: 'versions', title: 'Versions', about: 'workbench, system, Python, sandbox' },
  { id: 'data-folder', title: 'Data folder', about: 'sizes and file counts, no contents' },
  { id: 'machines', title: 'Machines', about: 'kinds, connections and their last problems' },
  { id: 'running', title: 'Running work', about: 'states of studies, jobs, servers and trainings' },
  { id: 'doctor', title: 'Doctor', about: 'what the checks found' },
  { id: 'messages', title: 'Messages', about: 'the latest warnings and errors shown' },
  { id: 'log', title: 'Log', about: 'the newest entries of app.log, shortened' },
];

/** A part as far as it is known; `part` null: it is still being collected. */
export type ShownPart = { readonly id: DiagnosticsPartId; readonly part: DiagnosticsPart | null };

/**
 * The text of the file, as it is shown and saved. `note`: what a person wrote, with keys and names hidden. `parts`: those
 * that are not left out. `madeAt`: an ISO date. Equal values give equal text.
 */
export function diagnosticsText({
  note,
  parts,
  madeAt,
}: {
  readonly note: string;
  readonly parts: readonly ShownPart[];
  readonly madeAt: string;
}): string {
  const leftOut = DIAGNOSTICS_PARTS.filter(({ id }) => !parts.some((shown) => shown.id === id));
  const lines = [
    'MARS² Workbench: report of a problem',
    `Made ${madeAt}. It was saved as a file and sent nowhere.`,
    'Left out: the contents of studies, and keys that are saved here or look like keys. <user>, <machine 1>,',
    '<name> and ~ stand for names and folders that are known. A quoted message can still hold others.',
    ...(leftOut.length === 0 ? [] : [`Not included: ${leftOut.map(({ title }) => title).join(', ')}.`]),
  ];
  const typed = note.trim();
  if (typed !== '') lines.push(...heading('What happened'), typed);
  for (const { id, title } of DIAGNOSTICS_PARTS) {
    const shown = parts.find((part) => part.id === id);
    if (shown !== undefined) lines.push(...heading(title), textOf(shown));
  }
  return `${lines.join('\n')}\n`;
}

function textOf({ part }: ShownPart): string {
  if (part === null) return '(still being collected)';
  return part.problem === null ? part.text : `Not collected: ${part.problem}`;
}

function heading(title: string): readonly string[] {
  return ['', title, '-'.repeat(title.length)];
}
