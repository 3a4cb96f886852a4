import type { Study } from '../../preload/contract/index';
import type { ReportDeps } from './deps';

/** The studies that are not in the trash. */
export function listedStudies(deps: Pick<ReportDeps, 'registry'>): readonly Study[] {
  return deps.registry.read().studies.flatMap(({ study, removed }) => (removed ? [] : [study]));
}
