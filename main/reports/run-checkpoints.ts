import type { RunConfig, ServerSpec } from '../../preload/contract/index';

type PocketServer = Extract<ServerSpec, { readonly kind: 'pocket' }>;

/** A checkpoint of a training of this workbench that answered in a run. */
export type Checkpoint = { readonly model: string } & NonNullable<PocketServer['trained']>;

/** Of a run's pocket servers; left out: none was trained. */
export function checkpointsOf({ team }: RunConfig): { readonly checkpoints?: readonly Checkpoint[] } {
  const checkpoints = team.servers.flatMap((server) =>
    server.kind === 'pocket' && server.trained !== undefined
      ? [{ model: server.model, ...server.trained }]
      : [],
  );
  return checkpoints.length === 0 ? {} : { checkpoints };
}
