import { resolve } from 'node:path';
import { type Usage, usageBySchema, usageMonthSchema } from '../../preload/contract/index';
import { counted } from '../base/index';
import { type CliOptions, UsageError } from './cli-options';
import { type CommandSpec, JSON_OPTION, option } from './grammar';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { columns } from './report';

export const usageCommand: CommandSpec = {
  usage: 'usage',
  about: 'GPU-hours and tokens by project, job or month, also of jobs that were removed',
  details: `A project is the study, training, experiment or reproduction that ordered a job.
A job over the end of a month counts in both; months are those of UTC. The first
call reads every journal that has grown since the last.`,
  options: [
    option('--month <yyyy-mm>', 'only this month (default: all)'),
    option('--by <name>', `${usageBySchema.options.join(', ')} (default: project)`),
    option('--csv <file>', 'write it to a file, with a manifest next to it'),
    JSON_OPTION,
  ],
  run: showUsage,
};

async function showUsage(workbench: Host, options: CliOptions): Promise<number> {
  const month = options.text('month') ?? null;
  if (month !== null && !usageMonthSchema.safeParse(month).success) {
    throw new UsageError(`--month takes a month like 2026-11, not "${month}".`);
  }
  const by = options.choice('by', usageBySchema.options) ?? 'project';
  const file = options.text('csv');
  if (file !== undefined) {
    const request = { source: { kind: 'usage', month }, format: 'csv', part: `usage-by-${by}` } as const;
    const written = await ask(workbench, 'report.write', { request, path: resolve(file) });
    if (!written.ok) return printRefusal(written.error);
    for (const { path } of written.value.files) printStatus(`Written: ${path}`);
    return EXIT.done;
  }
  const usage = await ask(workbench, 'job.usage', { month, by });
  if (!usage.ok) return printRefusal(usage.error);
  if (options.flag('json')) return printJson(usage.value);
  process.stdout.write(usageText(usage.value, by));
  for (const note of usage.value.notes) printStatus(note);
  return EXIT.done;
}

/** A row per project, job or month, then the total. */
function usageText({ rows, total, leftOut }: Usage, by: string): string {
  if (rows.length === 0) return 'Nothing was used.\n';
  const cells = (row: Usage['total']): string[] => [
    row.gpuHours.toFixed(2),
    row.hours.toFixed(2),
    String(row.jobs),
    String(row.promptTokens),
    String(row.completionTokens),
  ];
  const isShared = ({ id, label }: Usage['rows'][number]): boolean =>
    rows.some((other) => other.label === label && other.id !== id);
  const anyOpen = rows.some(({ isOpen }) => isOpen);
  const lines = columns(
    [by, 'GPU-hours', 'hours', 'jobs', 'prompt tokens', 'completion tokens', anyOpen ? 'state' : ''],
    [
      ...rows.map((row) => [
        row.about === '' || (by === 'job' && !isShared(row)) ? row.label : `${row.label} (${row.about})`,
        ...cells(row),
        row.isOpen ? 'still running' : '',
      ]),
      ['total', ...cells(total), ''],
    ],
  ).map((line) => line.trimEnd());
  const more = leftOut === 0 ? [] : [`Not listed, but in the total: ${counted(leftOut, 'smaller row')}.`];
  return `${[...lines, ...more].join('\n')}\n`;
}
