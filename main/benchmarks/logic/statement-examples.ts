/** An example of a statement: what a program reads, and what it should print. */
export type StatementExample = { readonly input: string; readonly output: string };

const inputLine = /^(?:sample )?input:?$/i;
const outputLine = /^(?:sample )?output:?$/i;

/** The lines below each heading of the form -----Name-----, in order; the text in front of the first has none. */
function sectionsOf(statement: string): ReadonlyArray<readonly [string, readonly string[]]> {
  const sections: Array<readonly [string, string[]]> = [['', []]];
  for (const line of statement.replaceAll('\r\n', '\n').split('\n')) {
    const name = headingOf(line.trim());
    if (name !== undefined) sections.push([name.toLowerCase(), []]);
    else sections.at(-1)?.[1].push(line);
  }
  return sections;
}

/** "Input" of "-----Input-----"; undefined for other lines. A rule of dashes has no name. */
function headingOf(line: string): string | undefined {
  if (!(line.startsWith('---') && line.endsWith('---'))) return undefined;
  const name = line
    .replace(/^-+/, '')
    .replace(/(?<!-)-+$/, '')
    .trim();
  return name === '' && line.length < 7 ? undefined : name;
}

function joined(lines: readonly string[]): string {
  const text = lines.join('\n').replace(/^\n+/, '').trimEnd();
  return text === '' ? '' : `${text}\n`;
}

function examplesIn(lines: readonly string[]): StatementExample[] {
  const examples: Array<{ input: string[]; output: string[] | null }> = [];
  for (const line of lines) {
    const last = examples.at(-1);
    if (inputLine.test(line.trim())) examples.push({ input: [], output: null });
    else if (last === undefined) continue;
    else if (outputLine.test(line.trim())) {
      if (last.output !== null) return []; // two outputs of one input: not the form that this reads
      last.output = [];
    } else (last.output ?? last.input).push(line);
  }
  return examples.flatMap(({ input, output }) =>
    output === null ? [] : [{ input: joined(input), output: joined(output) }],
  );
}

/**
 * The examples of a statement in the form that APPS gives its statements: below -----Examples----- (or Example,
 * Samples) lines "Input" and "Output" in turn; or a section -----Sample Input----- followed by -----Sample
 * Output-----, which is one example. Nothing is guessed from other forms.
 */
export function statementExamples(statement: string): readonly StatementExample[] {
  const sections = sectionsOf(statement);
  return sections.flatMap(([name, lines], i) => {
    if (/^(?:examples?|samples?)$/.test(name)) return examplesIn(lines);
    const [next, outputs] = sections[i + 1] ?? ['', []];
    if (!/^sample input(?: \d+)?:?$/.test(name) || !/^sample output(?: \d+)?:?$/.test(next)) return [];
    const example = { input: joined(lines), output: joined(outputs) };
    return example.output === '' ? [] : [example];
  });
}
