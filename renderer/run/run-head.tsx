import { IconChevronRight } from '@tabler/icons-react';
import { memo } from 'react';
import { methodTitle, teamPromptFormats } from '../../preload/contract/plans/index';
import type { RunConfig } from '../../preload/contract/run';
import type { Study } from '../../preload/contract/study';
import { ScaleTag } from '../shared/studies/index';
import { useHues } from '../state/index';
import { runLabel } from '../text/metrics';
import { searchFacts } from '../text/search';
import { configurationColor } from '../theme/index';
import { Select } from '../widgets/index';
import styles from './run.module.css';

/** Selects the run, next to the study's name. Memoised: moving between nodes does not change it. */
export const RunHead = memo(function RunHead(props: {
  readonly study: Study;
  readonly run: RunConfig;
  readonly onRun: (runId: string) => void;
}) {
  const { study, run, onRun } = props;
  const [hue = 0] = useHues([run.configuration]);
  const formats = teamPromptFormats(run.team.agents);
  const facts = [
    ...searchFacts(run.search, methodTitle(run.search)),
    ...(formats === null ? [] : [`prompt format ${formats}`]),
    `seed ${run.seed}`,
  ].join(' · ');
  return (
    <>
      <IconChevronRight size={14} aria-hidden="true" className={styles.between} />
      <i className={styles.chip} style={{ background: configurationColor(hue) }} />
      <Select
        aria-label="Configuration"
        w={200}
        value={run.id}
        allowDeselect={false}
        data={study.runs.map((item) => ({ value: item.id, label: runLabel(study, item) }))}
        onChange={(runId) => runId !== null && onRun(runId)}
      />
      <ScaleTag scale={run.scale} />
      <span className={`${styles.soft} ${styles.searchFacts}`} title={facts}>
        {facts}
      </span>
    </>
  );
});
