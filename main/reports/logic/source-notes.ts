import { letter } from './cell-text';
import type { TableNote } from './printed-notes';
import { INFERRED } from './reading';
import type { ReportTable } from './report-table';

/** What a source means by "second-hand"; none does: "". */
export function secondHandNote(sources: readonly string[]): string {
  return sources.some((source) => source.includes('second-hand'))
    ? ' Second-hand: read in another text, not in the paper itself.'
    : '';
}

/** Without the text in which it was read second-hand, or the file of a figure. */
function shortSource(source: string): string {
  const [start, ...texts] = source.split(' (second-hand: ');
  const rest = texts.join().split(')').at(-1) ?? '';
  const short = texts.length === 0 ? source : `${start} (second-hand)${rest}`;
  return short
    .split(' (')
    .map((part, at) => (at === 0 ? part : FILE.test(part) ? part.slice(part.indexOf(')') + 1) : ` (${part}`))
    .join('');
}

/** "OWNER/NAME, PATH)" */
const FILE = /^[^() /]+\/[^() ,/]+, [^()]+\)/;

/** Where the paper's numbers were read; print names the text once in which several were read second-hand. */
export function sourcesNote(sources: readonly string[]): TableNote {
  const letters = sources.map((_, at) => (sources.length === 1 ? '' : letter(at)));
  const texts = (of: (source: string) => string): string => {
    const lettersOf = new Map<string, string[]>();
    sources.forEach((source, at) => {
      lettersOf.set(of(source), [...(lettersOf.get(of(source)) ?? []), letters[at] ?? '']);
    });
    const named = [...lettersOf].map(([text, own]) => `${own.join(', ')}${own[0] ? ': ' : ''}${text}`);
    return `Paper: ${named.join('; ')}.`;
  };
  return { full: `${texts((source) => source)}${secondHandNote(sources)}`, print: texts(shortSource) };
}

/** What the paper measured on, where a table has numbers of it. */
export function basisNotes(
  { paperBasis }: Pick<ReportTable, 'paperBasis'>,
  sources: readonly string[],
): TableNote[] {
  if (sources.length === 0 || !paperBasis) return [];
  const full = `The paper measured on ${paperBasis}.`;
  return [{ full, print: full.replace(INFERRED, 'inferred') }];
}
