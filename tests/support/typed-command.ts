import { onTestFinished, vi } from 'vitest';
import { UsageError } from '../../main/cli/cli-options';
import { parseCommandLine } from '../../main/cli/grammar';
import { EXIT, type Host } from '../../main/cli/host';
import { commandGroups, mainCommands } from '../../main/cli/program';

export type Typed = { readonly code: number; readonly out: string; readonly err: string };

/** What `mars2 WORDS` does with this workbench: exit code and what it printed. Wrong usage is code 2, as in main. */
export async function typeCommand(host: Host, ...args: string[]): Promise<Typed> {
  const parsed = parseCommandLine(args, { version: '0.0.0', mainCommands, commandGroups });
  if (parsed.kind === 'help') return { code: EXIT.done, out: parsed.text, err: '' };
  if (parsed.kind === 'usage-error') return { code: EXIT.usage, out: '', err: parsed.text };
  if (!('run' in parsed.action)) throw new Error('This command opens no workbench');
  const [out, err]: [string[], string[]] = [[], []];
  const spies = (
    [
      [process.stdout, out],
      [process.stderr, err],
    ] as const
  ).map(([stream, texts]) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      texts.push(String(text));
      return true;
    }),
  );
  const restore = (): void => {
    for (const spy of spies) spy.mockRestore();
  };
  onTestFinished(restore);
  try {
    const code = await parsed.action.run(host, parsed.options);
    return { code, out: out.join(''), err: err.join('') };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { code: EXIT.usage, out: out.join(''), err: error.message };
  } finally {
    restore();
  }
}
