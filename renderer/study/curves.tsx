import { useMemo } from 'react';
import type { Analysis } from '../../preload/contract/analysis';
import type { Study } from '../../preload/contract/study';
import { curvedOf, useCurves, useHues } from '../state/index';
import { configurationColor } from '../theme/index';
import { CurvePanel, CurveSwitches } from '../widgets/curve-panel';
import { Section } from '../widgets/index';

/** The curves of a study with switches of the measure and of what they run over. */
export function StudyCurves(props: { readonly study: Study; readonly analysis: Analysis | null }) {
  const curved = useMemo(() => curvedOf(props.study), [props.study]);
  const hues = useHues(curved.configurations);
  const curves = useCurves({ ...curved, hues }, props.analysis, configurationColor);
  return (
    <Section title="Curves" fill aside={<CurveSwitches measure={curves.measure} axis={curves.axis} />}>
      <CurvePanel {...curves} />
    </Section>
  );
}
