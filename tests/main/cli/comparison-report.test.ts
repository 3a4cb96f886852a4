import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../main/base';
import { parseCutoffs } from '../../../main/cli/comparison-commands';
import { comparisonText } from '../../../main/cli/comparison-report';
import { SIDE_BY_SIDE_NOTE, type WorkbenchEvent } from '../../../preload/contract';
import { endedViews, sampleComparison } from '../../support/sample-comparison';
import { sampleStudy } from '../../support/sample-study';
import { typeCommand } from '../../support/typed-command';

const study = sampleStudy({ problems: 24, nodes: 12 });
const views = endedViews(study);

type More = Partial<Parameters<typeof sampleComparison>[1]>;

function comparisonOf(more: More) {
  return sampleComparison(
    study.runs.map(({ id }) => ({ runId: id })),
    {
      studies: [study],
      viewOf: (_studyId, runId) => views.get(runId) ?? null,
      prices: { currency: 'EUR', perGpuHour: null, perMillionTokens: null },
      ...more,
    },
  );
}

function textOf(verbose: boolean, more: More = {}): string {
  const answer = comparisonOf(more);
  if (!answer.ok) throw new Error(answer.error.message);
  return comparisonText(answer.value, verbose);
}

describe('a comparison in the terminal', () => {
  it('has the differences of the main metric with effect sizes, and says how to see the rest', () => {
    const text = textOf(false);
    expect(text).toMatch(/^difference of +metric +pp +odds ratio +problems +p \(Holm\)$/m);
    expect(text).toMatch(
      /^heterogeneous - single +Pass@1\(MCTS\) +−?\d+\.\d \[−?\d+\.\d, −?\d+\.\d\] +(\d+\.\d\d|∞) \[/m,
    );
    expect(text).toContain('6 more differences: add --verbose.');
    expect(textOf(true)).toMatch(/^heterogeneous - single +Pass@N +/m);
  });

  it('begins with what is damaged of its journals, in text and in JSON, and what to do', async () => {
    const problem = { message: 'The journal j is damaged at line 5.', hint: 'Repair it.', repairable: true };
    const answer = comparisonOf({ problems: new Map([[study.runs[0]?.id ?? '', problem]]) });
    const call = async (command: string) =>
      (command === 'comparison.read' ? answer : { ok: true, value: [] }) as never;
    const host = { call, events: new Emitter<WorkbenchEvent>() };
    const caution =
      'Part of the run single, seed 1 is missing. Its incomplete problems are left out of all numbers. The journal j is damaged at line 5. Repair it.';
    for (const command of [['compare'], ['studies', 'show']]) {
      expect((await typeCommand(host, ...command, study.id)).out).toMatch(`Caution: ${caution}\n`);
      const { cautions } = JSON.parse((await typeCommand(host, ...command, study.id, '--json')).out);
      expect(cautions).toEqual([caution]);
    }
  });

  it('has differences at equal tokens, with the gains of teams beside their intervals', () => {
    const text = textOf(false);
    expect(text).toMatch(/^at equal tokens +metric +pp/m);
    expect(text).toContain('in each pair, the one that uses more is cut: all its trees at one limit');
    expect(text.match(/^Odds ratio of A minus B: /gm)).toHaveLength(1);
  });

  it('names costs and gains of teams as the window and the exports do, and says what side by side is', () => {
    const text = textOf(false);
    expect(text).toMatch(
      /^team +Pass@N +best member +gain over best, pp +odds ratio +side by side +gain over side by side, pp +odds ratio +problems +members$/m,
    );
    expect(text).toContain(SIDE_BY_SIDE_NOTE);
    expect(text).toMatch(/^cost of +candidates +tokens +tokens per solved tree /m);
  });

  it('has results before and after the training cut-off only where problems have dates', () => {
    const cutoffs = { 'pocket-reader-base': '2025-02' };
    const dated = textOf(false, { dated: true, cutoffs });
    expect(dated).toMatch(
      /^single +Pass@1\(MCTS\) +2025-02 +\d+\.\d \[.*\], n = 12 +\d+\.\d \[.*\], n = 12 /m,
    );
    expect(dated).toContain(
      'Training cut-off not set: pocket-tracer-base. Set it with --cutoff MODEL=2024-10.',
    );
    expect(textOf(false, { cutoffs })).not.toMatch(/cut-off/);
  });

  it('takes a cut-off as MODEL=MONTH or MODEL=DAY, and refuses what is neither', () => {
    expect(parseCutoffs(['Qwen/Qwen3-8B=2024-10', 'a=b=2024-10-31'])).toEqual({
      'Qwen/Qwen3-8B': '2024-10',
      'a=b': '2024-10-31',
    });
    for (const text of ['=2024-10', 'model', 'model=2024-13', 'model=2026-02-30', 'model=soon']) {
      expect(() => parseCutoffs([text])).toThrow(`not "${text}"`);
    }
  });
});
