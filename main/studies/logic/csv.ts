import {
  type Analysis,
  outcomeOf,
  type RunView,
  selectedNode,
  type TreePart,
  treeKey,
} from '../../../preload/contract/index';

type Cell = string | number | null;

/**
 * RFC 4180, with one guard: a text that a spreadsheet would run as a formula gets an apostrophe in front.
 * Numbers are written in full (the shortest text that reads back as the same number).
 */
function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const guarded = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

export type CsvFile = { readonly text: string; readonly rows: number };

function csvFile(header: readonly string[], rows: ReadonlyArray<readonly Cell[]>): CsvFile {
  const lines = [header.join(','), ...rows.map((row) => row.map(csvCell).join(','))];
  return { text: `${lines.join('\n')}\n`, rows: rows.length };
}

/** One row per configuration and metric. `value`, `low`, `high` are rates in [0, 1]; seeds are joined by spaces. */
export function tableCsv(analysis: Analysis): CsvFile {
  return csvFile(
    [
      'configuration',
      'metric',
      'value',
      'low',
      'high',
      'problems',
      'seeds',
      'scale',
      'team',
      'nodes_per_tree',
      'candidates',
      'sandbox_faults',
      'complete',
      'method',
    ],
    analysis.rows.flatMap((row) =>
      row.cells.map((cell): Cell[] => [
        row.configuration,
        cell.metric,
        cell.value,
        cell.low,
        cell.high,
        cell.problems,
        row.seeds.join(' '),
        row.scale,
        row.team,
        row.nodesPerTree,
        cell.candidates,
        cell.faults,
        analysis.complete ? 'yes' : 'no',
        analysis.method,
      ]),
    ),
  );
}

/** One row per point of every curve. */
export function curvesCsv(analysis: Analysis): CsvFile {
  const scales = new Map(analysis.rows.map((row) => [row.configuration, row.scale]));
  return csvFile(
    ['configuration', 'measure', 'n', 'value', 'low', 'high', 'scale'],
    analysis.curves.flatMap((curve) =>
      curve.points.map((point): Cell[] => [
        curve.configuration,
        curve.measure,
        point.n,
        point.value,
        point.low,
        point.high,
        scales.get(curve.configuration) ?? '',
      ]),
    ),
  );
}

/**
 * One row per candidate, in the order of runs, problems, parts and indices: nothing of time or chance of
 * scheduling is in it, so a resumed run gives the same bytes.
 */
export function nodesCsv(views: readonly RunView[]): CsvFile {
  const rows: Cell[][] = [];
  for (const view of views) {
    const { config } = view;
    for (const problemId of config.problemIds) {
      for (const part of ['search', 'samples'] as const satisfies readonly TreePart[]) {
        const tree = view.trees.get(treeKey(problemId, part));
        if (tree === undefined) continue;
        const answer = part === 'search' ? selectedNode(tree.nodes, config.search.tie) : null;
        for (const node of tree.nodes) {
          rows.push([
            config.configuration,
            config.seed,
            problemId,
            part,
            node.index,
            node.parent,
            node.depth,
            node.agentId,
            node.parent === -1 ? 'new' : 'refine',
            node.score,
            node.publicVerdict,
            node.publicVerdicts.join(' '),
            node.privateVerdict,
            node.privateVerdicts.join(' '),
            part === 'search' ? (node === answer ? 'yes' : 'no') : '',
            part === 'search' ? outcomeOf(tree, config.search.tie) : '',
            node.programDigest,
            node.generationSeed,
            node.promptTokens,
            node.completionTokens,
            config.scale,
          ]);
        }
      }
    }
  }
  return csvFile(
    [
      'configuration',
      'seed',
      'problem',
      'part',
      'node',
      'parent',
      'depth',
      'agent',
      'action',
      'public_score',
      'public_verdict',
      'public_verdicts',
      'private_verdict',
      'private_verdicts',
      'answer',
      'problem_outcome',
      'program_digest',
      'generation_seed',
      'prompt_tokens',
      'completion_tokens',
      'scale',
    ],
    rows,
  );
}
