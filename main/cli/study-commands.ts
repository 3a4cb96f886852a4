import { resolve } from 'node:path';
import { exportKindSchema } from '../../preload/contract/index';
import type { CliOptions } from './cli-options';
import { diversityText } from './report';
import { ask, EXIT, type Host, say, sayRefusal } from './study-command';
import { followingTask } from './task-progress';

/** A judge or a similarity may come from a server: "http://host:port/v1#MODEL". */
export function serverAt(
  text: string | undefined,
): { kind: 'server'; baseUrl: string; model: string } | undefined {
  const [baseUrl, model] = text?.split('#') ?? [];
  return baseUrl && model ? { kind: 'server', baseUrl, model } : undefined;
}

/** Says what is missing of a study's journals; true when something is. */
async function sayTroubles(workbench: Host, studyId: string): Promise<boolean> {
  const outcomes = await ask(workbench, 'study.outcomes', { studyId });
  const troubles = outcomes.ok ? outcomes.value.runs.flatMap(({ trouble }) => trouble ?? []) : [];
  for (const { message, hint } of troubles) say(`Warning: ${message}${hint ? `\n${hint}` : ''}`);
  return troubles.length > 0;
}

export async function exportCsv(workbench: Host, options: CliOptions): Promise<number> {
  const studyId = options.word(0, 'The study');
  const what = options.choice('what', exportKindSchema.options) ?? 'table';
  const written = await ask(workbench, 'export.write', {
    studyId,
    what,
    path: resolve(options.needed('out')),
  });
  if (!written.ok) return sayRefusal(written.error);
  if (options.flag('json')) process.stdout.write(`${JSON.stringify(written.value)}\n`);
  else say(`${written.value.rows} rows written to ${written.value.path}`);
  await sayTroubles(workbench, studyId);
  return EXIT.done;
}

/** Brings what can be read of a damaged journal into a new one; the old one is kept. */
export async function repair(workbench: Host, options: CliOptions): Promise<number> {
  const runId = options.word(0, 'The run');
  const repaired = await ask(workbench, 'run.repair', { runId });
  if (!repaired.ok) return sayRefusal(repaired.error);
  if (options.flag('json')) process.stdout.write(`${JSON.stringify(repaired.value)}\n`);
  else {
    const { movedTo, keptEvents, lostLines, leftOutEvents } = repaired.value;
    say(`${keptEvents} events kept, ${lostLines} lines lost, ${leftOutEvents} events left out.`);
    say(`The damaged journal is kept as ${movedTo}. Go on with: resume`);
  }
  return EXIT.done;
}

/** Exit code 1 when something departs, or is not there to be replayed. */
export async function verify(workbench: Host, options: CliOptions): Promise<number> {
  const studyId = options.word(0, 'The study');
  const verified = await followingTask(workbench, 'verify', () =>
    ask(workbench, 'study.verify', { studyId }),
  );
  if (!verified.ok) return sayRefusal(verified.error);
  const { trees, nodes, values, withoutDraws, mismatches } = verified.value;
  if (options.flag('json')) process.stdout.write(`${JSON.stringify(verified.value, null, 2)}\n`);
  else {
    for (const { runId, problemId, part, index, what } of mismatches) {
      process.stdout.write(`${runId}  ${problemId}  ${part}  node ${index}: ${what}\n`);
    }
    say(
      `${trees} trees replayed: ${nodes} nodes stand where their seeds lead, ${values} draws and bounds are the same to the last bit.`,
    );
    if (withoutDraws > 0) say(`${withoutDraws} nodes are of journals that tell no draws.`);
  }
  const isPartial = (await sayTroubles(workbench, studyId)) || trees === 0;
  if (mismatches.length > 0) say(`${mismatches.length} trees depart.`);
  else if (trees === 0) say('There is nothing to replay: the journals hold no tree.');
  else say(isPartial ? 'What is left of the journals replays.' : 'The journals replay.');
  return mismatches.length === 0 && !isPartial ? EXIT.done : EXIT.failed;
}

/** Exit code 1 when a verdict changed. */
export async function regrade(workbench: Host, options: CliOptions): Promise<number> {
  const studyId = options.word(0, 'The study');
  const programs = options.count('programs', 1, 10_000_000);
  const grading = options.choice('grading', ['as-program', 'as-published']);
  const regraded = await followingTask(workbench, 'regrade', () =>
    ask(workbench, 'study.regrade', {
      studyId,
      ...(programs === undefined ? {} : { programs }),
      ...(grading === undefined ? {} : { grading }),
    }),
  );
  if (!regraded.ok) return sayRefusal(regraded.error);
  const { graded, changed, faults } = regraded.value;
  if (options.flag('json')) process.stdout.write(`${JSON.stringify(regraded.value, null, 2)}\n`);
  else {
    for (const { runId, problemId, part, index, before, after } of changed) {
      process.stdout.write(`${runId}  ${problemId}  ${part}  node ${index}: ${before} -> ${after}\n`);
    }
    say(`${graded} programs graded again, ${changed.length} verdicts changed, ${faults} sandbox faults.`);
  }
  await sayTroubles(workbench, studyId);
  return changed.length === 0 && faults === 0 ? EXIT.done : EXIT.failed;
}

export async function diversity(workbench: Host, options: CliOptions): Promise<number> {
  const studyId = options.word(0, 'The study');
  const judge = serverAt(options.text('judge'));
  const similarity = serverAt(options.text('similarity'));
  const measured = await followingTask(workbench, 'diversity', () =>
    ask(workbench, 'study.diversity', {
      studyId,
      ...(judge === undefined ? {} : { judge }),
      ...(similarity === undefined ? {} : { similarity }),
    }),
  );
  if (!measured.ok) return sayRefusal(measured.error);
  process.stdout.write(
    options.flag('json') ? `${JSON.stringify(measured.value, null, 2)}\n` : diversityText(measured.value),
  );
  await sayTroubles(workbench, studyId);
  return EXIT.done;
}
