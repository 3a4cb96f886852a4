import { useMemo } from 'react';
import type { Study } from '../../preload/contract/study';
import { curveInputOf, readyValue, useAnalysis, useCurveMenu, useCurves, useHues } from '../state/index';
import { configurationColor } from '../theme/index';
import { CurvePanel, CurveSwitches } from '../widgets/curve-panel';
import { FailedState } from '../widgets/index';
import styles from './run.module.css';

/** The curves of the study, with this run's configuration highlighted. */
export function RunCurves(props: { readonly study: Study; readonly configuration: string }) {
  const { study, configuration } = props;
  const analysis = useAnalysis(study.id);
  const curved = useMemo(() => curveInputOf(study), [study]);
  const hues = useHues(curved.configurations);
  const curves = useCurves({ ...curved, hues }, readyValue(analysis), configurationColor);
  const menu = useCurveMenu(curves, { kind: 'study', studyId: study.id });
  if (analysis.kind === 'failed') {
    return (
      <div className={styles.padded}>
        <FailedState
          title="The curves could not be calculated"
          message={analysis.error.message}
          hint={analysis.error.hint}
        />
      </div>
    );
  }
  return (
    <div className={styles.curves}>
      <div className={styles.switches}>
        <CurveSwitches measure={curves.measure} axis={curves.axis} />
      </div>
      <CurvePanel {...curves} highlighted={configuration} menu={menu} />
    </div>
  );
}
