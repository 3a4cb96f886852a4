import {
  type CleaningResult,
  LOCAL_MACHINE,
  MAX_ROOM_ITEMS,
  type MachineRoomView,
  type RoomItem,
} from '../../../preload/contract/index';
import { ok } from '../../base/index';
import type { JobService } from '../../jobs/index';
import {
  type AsyncResult,
  type MachineFleet,
  measureRoom,
  type Removed,
  removeRoom,
} from '../../machines/index';
import { oldJobs, planCopiesRoom, planMachineRoom, type RoomPlan } from './room-plan';

export type RoomDeps = {
  readonly fleet: Pick<MachineFleet, 'get'>;
  readonly jobs: Pick<JobService, 'views' | 'logCopies'>;
  readonly clock: { readonly now: () => number };
};

/** The workbench's files on a machine that may be removed. Changes nothing. */
export async function machineRoom(machineId: string, deps: RoomDeps): AsyncResult<MachineRoomView> {
  const plan = await planOf(machineId, deps);
  return plan.ok
    ? ok({ items: plan.value.items.slice(0, MAX_ROOM_ITEMS), kept: [...plan.value.kept] })
    : plan;
}

async function planOf(machineId: string, { fleet, jobs, clock }: RoomDeps): AsyncResult<RoomPlan> {
  const machine = fleet.get(machineId);
  if (!machine.ok) return machine;
  const [views, nowMs] = [jobs.views(), clock.now()];
  if (machineId === LOCAL_MACHINE) return ok(planCopiesRoom(await jobs.logCopies.sizes(), views, nowMs));
  const ids = oldJobs(views, machineId, nowMs).map(({ id }) => id);
  const room = await measureRoom(machine.value, ids);
  return room.ok ? ok(planMachineRoom(room.value, views, { machineId, nowMs })) : room;
}

/** Removes these items of the preview, which is made again first: what is used meanwhile stays. */
export async function cleanMachine(
  machineId: string,
  ids: readonly string[],
  deps: RoomDeps,
): AsyncResult<CleaningResult> {
  const plan = await planOf(machineId, deps);
  if (!plan.ok) return plan;
  const requestedIds = new Set(ids);
  const items = plan.value.items.filter(({ id }) => requestedIds.has(id));
  const problems: string[] = [];
  const left = requestedIds.size - items.length;
  if (left > 0) problems.push(`${left} of what was shown can no longer be removed, or is gone already.`);
  const removal =
    machineId === LOCAL_MACHINE
      ? await removeCopies(items, deps)
      : await removeOnMachine(machineId, items, deps, problems);
  if (!removal.ok) return removal;
  const bytes = removal.value.reduce((sum, item) => sum + item.bytes, 0);
  return ok({ removed: removal.value.length, bytes, problems });
}

async function removeCopies(
  items: readonly RoomItem[],
  { jobs }: RoomDeps,
): AsyncResult<readonly RoomItem[]> {
  for (const { id } of items) await jobs.logCopies.remove(id.slice('copy '.length));
  return ok(items);
}

async function removeOnMachine(
  machineId: string,
  items: readonly RoomItem[],
  { fleet, jobs }: RoomDeps,
  problems: string[],
): AsyncResult<readonly RoomItem[]> {
  const machine = fleet.get(machineId);
  if (!machine.ok) return machine;
  const removed: (Removed & { readonly item: RoomItem })[] = [];
  for (const item of items) {
    const [folder = '', name = ''] = item.id.split(' ');
    if (folder === 'tools') removed.push({ folder, name, item });
    if (folder !== 'jobs') continue;
    if (await jobs.logCopies.keep(name)) removed.push({ folder, name, item });
    else
      problems.push(
        `The folder of "${item.label}" stays: its log could not be copied to this computer first.`,
      );
  }
  const removal = await removeRoom(machine.value, removed);
  if (!removal.ok) return removal;
  return ok(
    removed.flatMap(({ folder, name, item }) => {
      if (removal.value.has(`${folder} ${name}`)) return [item];
      problems.push(`${item.path} could not be removed.`);
      return [];
    }),
  );
}
