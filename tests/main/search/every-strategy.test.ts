import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../main/base';
import { type Ask, createStrategy } from '../../../main/search';
import { decisionSchema } from '../../../preload/contract';
import { type Course, CourseWalker, EVERY_STRATEGY, PLAIN } from '../../support/strategies';

// Same cases in every run.
fc.configureGlobal({ seed: 1, numRuns: 40 });
/** The mixed model costs a hundred times more than the others. */
const COSTLY = { numRuns: 12 };

const NAMES = ['a', 'b', 'c'];

describe.each(EVERY_STRATEGY)('strategy %j', (strategy) => {
  const runs = strategy.kind === 'ab-mcts-m' ? COSTLY : {};
  const anyCourse: fc.Arbitrary<Course> = fc.record({
    strategy: fc.constant(strategy),
    agents: fc.integer({ min: 1, max: 3 }).map((count) => NAMES.slice(0, count)),
    seed: fc.nat(),
    nodes: fc.integer({ min: 1, max: 60 }),
    batch: fc.integer({ min: 1, max: 8 }),
    failing: fc.constantFrom(0, 0.2),
    closing: fc.constantFrom(0, 0.1, 0.5),
    retiring: fc.constantFrom(0, 0.05),
  });
  const openCourse = anyCourse.map((course) => ({ ...course, closing: 0, retiring: 0 }));

  it('meets the budget exactly, for any order of the tells', () => {
    fc.assert(
      fc.property(openCourse, (course) => {
        const walker = new CourseWalker(course).walk();
        expect(walker.parents).toHaveLength(course.nodes);
        expect(walker.faults).toEqual([]);
      }),
      runs,
    );
  });

  it('asks only what is neither closed nor retired, and null only when nothing is left', () => {
    fc.assert(
      fc.property(anyCourse, (course) => {
        expect(new CourseWalker(course).walk().faults).toEqual([]);
      }),
      runs,
    );
  });

  it('continues identically when it is restored at any point', () => {
    fc.assert(
      fc.property(anyCourse, fc.nat({ max: 120 }), (course, steps) => {
        const restored = new CourseWalker(course);
        for (let i = 0; i < steps && restored.step(); i++);
        restored.restore();
        expect(restored.walk().asks).toEqual(new CourseWalker(course).walk().asks);
      }),
      runs,
    );
  });

  it('writes a history that is JSON of the schema', () => {
    const walker = new CourseWalker({ ...PLAIN, strategy, batch: 3, failing: 0.2, closing: 0.2 }).walk();
    const history = walker.strategy.history();
    expect(JSON.parse(JSON.stringify(history))).toEqual(history);
  });

  it('does not mind a second outcome of a trial, or one of an unknown trial', () => {
    const walk = (repeat: boolean): readonly Ask[] => {
      const walker = new CourseWalker({ ...PLAIN, strategy, batch: 4 });
      while (walker.step()) {
        if (!repeat) continue;
        walker.strategy.tell(999, { kind: 'closed' });
        const closedAsk = walker.asks.find(({ trial }) => !walker.open.some((open) => open.trial === trial));
        if (closedAsk === undefined) continue;
        walker.strategy.tell(closedAsk.trial, { kind: 'closed' });
        walker.strategy.tell(closedAsk.trial, { kind: 'node', index: 999, score: 1 });
      }
      return walker.asks;
    };
    expect(walk(true)).toEqual(walk(false));
  });

  it('says why with the reasons of the contract, the best option being the chosen one', () => {
    const { asks } = new CourseWalker({ ...PLAIN, strategy, nodes: 60, batch: 2 }).walk();
    for (const { why } of asks) {
      for (const decision of why) {
        const { options, values, measure, chosen } = decisionSchema.parse(decision);
        expect(values).toHaveLength(options.length);
        const numbers = values.map((value) => value ?? Number.POSITIVE_INFINITY);
        const best = measure === 'turn' ? Math.min(...numbers) : Math.max(...numbers);
        expect(numbers[chosen]).toBe(best);
      }
    }
  });

  it('records the path from the root and the agent in its reasons', () => {
    const { asks } = new CourseWalker({ ...PLAIN, strategy, nodes: 60 }).walk();
    for (const { why, agentId } of asks) {
      const agents = why.filter(({ options }) => options[0]?.startsWith('agent:') && options.length > 1);
      const last = agents.at(-1);
      const isLast = last !== undefined && last === why.at(-1);
      if (isLast && last.question === 'agent') expect(last.options[last.chosen]).toBe(`agent:${agentId}`);
    }
  });

  it('is done when every agent is retired, and continues when one is revived', () => {
    const { strategy: search } = new CourseWalker({ ...PLAIN, strategy, nodes: 7 }).walk();
    search.retire('a');
    expect(search.ask()?.agentId).toBe('b');
    search.retire('b');
    expect(search.ask()).toBeNull();
    search.revive('a');
    expect(search.ask()?.agentId).toBe('a');
  });

  it('takes an agent that it does not know for none', () => {
    const search = createStrategy(strategy, ['a'], randomStream(1));
    search.retire('x');
    search.revive('x');
    expect(search.ask()?.agentId).toBe('a');
  });
});
