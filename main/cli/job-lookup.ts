import type { JobView, Refusal } from '../../preload/contract/index';
import { findById, type Result } from '../base/index';
import { ask, type Host } from './host';

/** The job with this id, with the only id that begins so, or with this name if no other has it. */
export async function findJob(workbench: Host, id: string): Promise<Result<JobView, Refusal>> {
  return findById(await ask(workbench, 'job.probe', {}), id, {
    noun: 'job',
    list: 'mars2 jobs list',
    nameOf: ({ name }) => name,
  });
}
