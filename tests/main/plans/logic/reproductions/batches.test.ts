import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BatchSearch,
  type BatchServer,
  planBatches,
} from '../../../../../main/plans/logic/reproductions/batches';

const ROOM = 4;
const MACHINES = ['a', 'b'];

function server(id: string, size = 1, machineId = 'a'): BatchServer {
  return { id, machineId, size };
}

function search(id: string, ...servers: BatchServer[]): BatchSearch {
  return { id, servers };
}

/** Searches over eight servers of fixed sizes on two machines. */
const searches = fc
  .array(fc.uniqueArray(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 3 }), { maxLength: 14 })
  .map((all) =>
    all.map((servers, at) =>
      search(`s${at}`, ...servers.map((n) => server(`m${n}`, 1 + (n % 3), MACHINES[n % 2] as string))),
    ),
  );

describe('batches of searches', () => {
  test('what fits together is one batch, and every model is loaded once', () => {
    const planned = planBatches(
      [search('base', server('x')), search('team', server('x'), server('y')), search('other', server('z'))],
      () => ROOM,
    );
    expect(planned.batches).toEqual([['base', 'team', 'other']]);
    expect(planned.modelLoads).toHaveLength(3);
  });

  test('searches of one model run while it is up, even if others are listed between them', () => {
    const planned = planBatches(
      [
        search('1', server('x')),
        search('2', server('y')),
        search('3', server('x')),
        search('4', server('y')),
      ],
      () => 1,
    );
    expect(planned.batches).toEqual([
      ['1', '3'],
      ['2', '4'],
    ]);
    expect(planned.modelLoads).toHaveLength(2);
  });

  test('a chain of teams hands one model on from batch to batch', () => {
    const [x, y, z, w] = ['x', 'y', 'z', 'w'].map((id) => server(id)) as [
      BatchServer,
      BatchServer,
      BatchServer,
      BatchServer,
    ];
    const planned = planBatches([search('xy', x, y), search('zw', z, w), search('yz', y, z)], () => 2);
    expect(planned.batches).toEqual([['xy'], ['yz'], ['zw']]);
    expect(planned.modelLoads).toEqual([
      { serverId: 'x', from: 0, to: 0 },
      { serverId: 'y', from: 0, to: 1 },
      { serverId: 'z', from: 1, to: 2 },
      { serverId: 'w', from: 2, to: 2 },
    ]);
  });

  test('what stands idle stays up where there is room', () => {
    const small = server('small');
    const planned = planBatches(
      [
        search('1', small, server('x', 3)),
        search('2', server('y', 3)),
        search('3', small, server('z', 3), server('v', 0)),
      ],
      () => ROOM,
    );
    expect(planned.batches).toHaveLength(3);
    expect(planned.modelLoads.filter(({ serverId }) => serverId === 'small')).toHaveLength(1);
  });

  test('servers that do not fit together on their machine are reported, the others continue', () => {
    const planned = planBatches(
      [search('large', server('x', 3), server('y', 3)), search('small', server('x', 3))],
      () => ROOM,
    );
    expect(planned.tooLarge).toEqual(['large']);
    expect(planned.batches).toEqual([['small']]);
  });

  test('every search is in one batch, no machine is ever full beyond its room, servers are up when needed', () => {
    fc.assert(
      fc.property(searches, (all) => {
        const { batches, modelLoads, tooLarge } = planBatches(all, () => ROOM);
        expect([...batches.flat(), ...tooLarge].sort()).toEqual(all.map(({ id }) => id).sort());
        const byId = new Map(all.flatMap(({ servers }) => servers).map((one) => [one.id, one]));
        batches.forEach((ids, batch) => {
          const up = modelLoads
            .filter(({ from, to }) => from <= batch && batch <= to)
            .map((one) => one.serverId);
          expect(new Set(up).size).toBe(up.length);
          for (const machine of MACHINES) {
            const sizes = up.map((id) => byId.get(id)).filter((one) => one?.machineId === machine);
            expect(sizes.reduce((sum, one) => sum + (one?.size ?? 0), 0)).toBeLessThanOrEqual(ROOM);
          }
          for (const id of ids) {
            for (const needed of all.find((one) => one.id === id)?.servers ?? []) {
              expect(up).toContain(needed.id);
            }
          }
        });
      }),
    );
  });

  test('never more loads than where every search loads its own models', () => {
    fc.assert(
      fc.property(searches, (all) => {
        const { batches, modelLoads } = planBatches(all, () => ROOM);
        const done = all.filter(({ id }) => batches.flat().includes(id));
        expect(modelLoads.length).toBeLessThanOrEqual(done.reduce((sum, one) => sum + one.servers.length, 0));
      }),
    );
  });
});
