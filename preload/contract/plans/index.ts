/**
 * What a study would be, before there is one: ready-made teams and the work that they mean. Values only, no
 * schemas, so that the window may use them as main and the terminal do.
 */
export { candidatesOf } from './candidates';
export {
  heterogeneousTeam,
  homogeneousTeam,
  POCKET_FAMILIES,
  type PocketFamily,
  pocketServer,
  ROLES,
  type Role,
  recordedServer,
  sameServer,
  singleTeam,
  teamOf,
  urlServer,
} from './teams';
