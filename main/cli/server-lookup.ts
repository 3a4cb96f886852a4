import type { Refusal, ServerView } from '../../preload/contract/index';
import { findById, type Result } from '../base/index';
import { ask, type Host } from './host';

/** By its id or the first letters of it, as lists print it. */
export async function findServer(workbench: Host, id: string): Promise<Result<ServerView, Refusal>> {
  const all = await ask(workbench, 'server.list', {});
  return findById(all, id, { noun: 'server', list: 'mars2 servers list' });
}
