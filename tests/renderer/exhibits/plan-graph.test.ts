import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StepKind } from '../../../preload/contract';
import { type GraphStep, lineageOf, planGraph } from '../../../renderer/exhibits/plan-graph';
import { STEP_KINDS } from '../../../renderer/text/exhibits';
import { SAMPLE_EXHIBITS, sampleExhibit, sampleSteps } from '../../support/sample-exhibits';

const SIZE = { width: 780, height: 200 };

/** Plans of any shape whose steps need steps of earlier kinds alone. */
const plans = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.array(fc.nat({ max: 40 }), { maxLength: 4 })), {
    maxLength: 40,
  })
  .map((rows) =>
    rows.map(
      ([kind, needs], at): GraphStep => ({
        id: `s${at}`,
        kind: STEP_KINDS[kind] as StepKind,
        title: '',
        needs: needs.filter((need) => need < at && (rows[need]?.[0] ?? 6) < kind).map((need) => `s${need}`),
      }),
    ),
  );

describe('the picture of a plan', () => {
  it('has every step once, in the column of its kind, inside the picture', () => {
    fc.assert(
      fc.property(plans, (steps) => {
        const { nodes, columns } = planGraph(steps, STEP_KINDS, SIZE);
        expect(nodes.map(({ step }) => step.id).toSorted()).toEqual(steps.map(({ id }) => id).toSorted());
        for (const { step, x, y, height } of nodes) {
          expect(x).toBe(columns.find(({ kind }) => kind === step.kind)?.x);
          expect(y - height / 2).toBeGreaterThanOrEqual(-0.5);
          expect(y + height / 2).toBeLessThanOrEqual(SIZE.height + 0.5);
        }
      }),
    );
  });

  it('has a line for every need', () => {
    fc.assert(
      fc.property(plans, (steps) => {
        const { edges } = planGraph(steps, STEP_KINDS, SIZE);
        const expected = steps.flatMap(({ id, needs }) => needs.map((need) => `${need}>${id}`));
        expect(edges.map(({ from, to }) => `${from.step.id}>${to.step.id}`).toSorted()).toEqual(
          expected.toSorted(),
        );
      }),
    );
  });

  it.each(SAMPLE_EXHIBITS.map(({ exhibit }) => exhibit.id))(
    'lays no two steps of %s over each other',
    (id) => {
      const { nodes, columns } = planGraph(sampleSteps(sampleExhibit(id), 'pocket'), STEP_KINDS, SIZE);
      for (const { x } of columns) {
        const sorted = nodes.filter((node) => node.x === x).toSorted((a, b) => a.y - b.y);
        sorted.slice(1).forEach((node, at) => {
          const above = sorted[at];
          expect((above?.y ?? 0) + (above?.height ?? 0) / 2).toBeLessThan(node.y - node.height / 2 + 1e-9);
        });
      }
    },
  );
});

describe('the lineage of a step', () => {
  const steps: readonly GraphStep[] = [
    { id: 'a', kind: 'train', title: '', needs: [] },
    { id: 'b', kind: 'train', title: '', needs: [] },
    { id: 'c', kind: 'search', title: '', needs: ['a'] },
    { id: 'd', kind: 'cell', title: '', needs: ['c', 'b'] },
    { id: 'e', kind: 'cell', title: '', needs: ['b'] },
  ];
  it('is all that it needs and all that needs it, however far, and no sibling', () => {
    expect([...lineageOf(steps, 'c')].toSorted()).toEqual(['a', 'c', 'd']);
    expect([...lineageOf(steps, 'b')].toSorted()).toEqual(['b', 'd', 'e']);
    expect([...lineageOf(steps, 'd')].toSorted()).toEqual(['a', 'b', 'c', 'd']);
  });
});
