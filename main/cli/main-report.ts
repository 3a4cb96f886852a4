import type { ReportSource } from '../../preload/contract/index';
import { counted } from '../base/index';
import { type CliOptions, definedOnly } from './cli-options';
import { option } from './grammar';
import { ask, EXIT, type Host, printRefusal, printStatus } from './host';

export const FIGURES_OPTION = option(
  '--figures <name>',
  'all: every figure of an exhibit in that folder; left out: the first with a value of ours',
);

export function requestedFigures(options: CliOptions): 'all' | undefined {
  return options.choice('figures', ['all']);
}

/** Writes a source's first table and figure, or all its figures, into this folder; returns the exit code. */
export async function writeMain(
  workbench: Host,
  source: ReportSource,
  path: string,
  options: CliOptions,
): Promise<number> {
  const request = { source, format: 'main', ...definedOnly({ figures: requestedFigures(options) }) } as const;
  const written = await ask(workbench, 'report.write', { request, path });
  if (!written.ok) return printRefusal(written.error);
  printStatus(`${counted(written.value.files.length, 'file')} written to ${path}`);
  return EXIT.done;
}
