/** One part of what a script wrote: `code` is how its command ended, `note` what the script had to say of it. */
export type Section = {
  readonly name: string;
  readonly code: number;
  readonly note: string;
  readonly text: string;
};

/**
 * Reads what a script wrote in parts. A part begins with a line "MARK name code note" and goes on to the next such
 * line; what stands before the first belongs to nobody. The mark is new for every script, so that nothing that is
 * printed there (a process' own command line, say) can begin a part.
 */
export function parseSections(output: string, mark: string): readonly Section[] {
  const sections: { name: string; code: number; note: string; lines: string[] }[] = [];
  for (const line of output.split('\n')) {
    if (line.startsWith(`${mark} `)) {
      const [name = '', code = '', ...note] = line.slice(mark.length + 1).split(' ');
      sections.push({ name, code: Number.parseInt(code, 10) || 0, note: note.join(' '), lines: [] });
    } else {
      sections.at(-1)?.lines.push(line);
    }
  }
  return sections.map(({ lines, ...section }) => ({ ...section, text: lines.join('\n') }));
}

/** The first part of that name; null when the script never came to it. */
export function sectionNamed(sections: readonly Section[], name: string): Section | null {
  return sections.find((section) => section.name === name) ?? null;
}

/** Lines with something in them, without blanks at their ends. */
export function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '');
}
