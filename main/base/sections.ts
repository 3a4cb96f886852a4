/** One section of a script's output: `code` is the exit code of its command, `note` further words of the script. */
export type Section = {
  readonly name: string;
  readonly code: number;
  readonly note: string;
  readonly text: string;
};

/** Reads what a bounded script wrote (see there). Lines that are neither a head nor text are left out. */
export function parseSections(output: string): readonly Section[] {
  const sections: { name: string; code: number; note: string; lines: string[] }[] = [];
  for (const line of output.split('\n')) {
    if (line.startsWith('@ ')) {
      const [name = '', code = '', ...note] = line.slice(2).split(' ');
      sections.push({ name, code: Number.parseInt(code, 10) || 0, note: note.join(' '), lines: [] });
    } else if (line.startsWith('|')) {
      sections.at(-1)?.lines.push(line.slice(1));
    }
  }
  return sections.map(({ lines, ...section }) => ({ ...section, text: lines.join('\n') }));
}

/** The first section of that name; null when the script did not get to it. */
export function sectionOf(sections: readonly Section[], name: string): Section | null {
  return sections.find((section) => section.name === name) ?? null;
}

/** Lines with something in them, without blanks at their ends. */
export function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '');
}
