import { type Provenance, provenanceDifferences, provenanceText } from '../../preload/contract/index';
import { type CliOptions, UsageError } from './cli-options';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';

/** A start whose record is printed. `jobId` null: it has no job. */
export type Started = { readonly jobId: string | null; readonly name: string };

/** Prints what made a start; with another one: what differs between the two. */
export async function printProvenance(
  workbench: Host,
  started: Started,
  other: Started | null,
  options: CliOptions,
): Promise<number> {
  const records: Provenance[] = [];
  for (const { jobId, name } of other === null ? [started] : [started, other]) {
    if (jobId === null) throw new UsageError(`"${name}" has no job, so nothing is recorded of its start.`);
    const record = await ask(workbench, 'job.provenance', { jobId });
    if (!record.ok) return printRefusal(record.error);
    if (record.value === null) {
      printStatus(
        `Nothing is recorded of the start of "${name}": it has not started, ended too early, or an older workbench started it.`,
      );
      return EXIT.failed;
    }
    records.push(record.value);
  }
  const [record, second] = records;
  if (record === undefined) return EXIT.failed;
  if (second === undefined) {
    if (options.flag('json')) return printJson(record);
    process.stdout.write(`${provenanceText(record)}\n`);
    return EXIT.done;
  }
  const differences = provenanceDifferences(record, second);
  if (options.flag('json')) return printJson({ differences, records });
  for (const sentence of differences) process.stdout.write(`${sentence}\n`);
  if (differences.length === 0) printStatus('No difference in what is recorded.');
  return EXIT.done;
}
