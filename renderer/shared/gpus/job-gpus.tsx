import { useCallback } from 'react';
import type { GpuCurve } from '../../../preload/contract/gpu';
import type { JobView } from '../../../preload/contract/job';
import { jobHasEnded, readyValue, useJobGpus } from '../../state/index';
import { clockTime, ErrorNote, Section } from '../../widgets/index';
import { GpuCharts } from './gpu-charts';

const MINUTE = 60;
const HOUR = 3_600;
/** Between two samples at first: a job of which there is one alone gets an axis of that length. */
const SAMPLED_EVERY_S = 10;

/** What the GPUs of a job did since its first sample; nothing before there are some. */
export function JobGpus({ job }: { readonly job: JobView }) {
  const loaded = useJobGpus(job.id, !jobHasEnded(job.state));
  const { gpus, fromMs } = readyValue(loaded) ?? { gpus: [], fromMs: null };
  const end = Math.max(SAMPLED_EVERY_S, ...gpus.map(({ seconds }) => seconds.at(-1) ?? 0));
  const unit = end < 2 * MINUTE ? 1 : end < 2 * HOUR ? MINUTE : HOUR;
  const xsOf = useCallback(({ seconds }: GpuCurve) => seconds.map((at) => at / unit), [unit]);
  if (loaded.kind === 'failed')
    return (
      <Section title="GPUs">
        <ErrorNote message={loaded.error.message} hint={loaded.error.hint} />
      </Section>
    );
  if (gpus.length === 0) return null;
  return (
    <Section title="GPUs">
      <GpuCharts
        gpus={gpus}
        xsOf={xsOf}
        over={unit === 1 ? 'seconds' : unit === MINUTE ? 'minutes' : 'hours'}
        {...(fromMs !== null && { since: clockTime(new Date(fromMs).toISOString()) })}
        xEnd={end / unit}
        formatX={(x) => x.toFixed(unit === 1 ? 0 : 1)}
      />
    </Section>
  );
}
