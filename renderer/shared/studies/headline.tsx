import { configurationsOf, leaderText } from '../../../preload/contract/plans/index';
import type { Headline, StudyView } from '../../../preload/contract/study';
import { configurationColor } from '../../theme/index';
import { percent, percentRange, plural, Sparkline } from '../../widgets/index';

/** The colour that the best configuration of a study has everywhere. */
export function headlineColor({ study, hues }: StudyView, { configuration }: Headline): string {
  return configurationColor(hues[configurationsOf(study).indexOf(configuration)] ?? 0);
}

/** "heterogeneous: Pass@N 91.7 %, N = 24, 95 % interval 83.1 – 96.7 %, 60 problems". */
export function headlineText({ configuration, level, n, value, low, high, problems }: Headline): string {
  return `${leaderText(configuration, level)}: Pass@N ${percent(value)} %, N = ${n}, 95 % interval ${percentRange(low, high)} %, ${plural(problems, 'problem')}`;
}

/** Pass@N of the best configuration over its nodes, in its colour. */
export function HeadlineCurve({ view, headline }: { readonly view: StudyView; readonly headline: Headline }) {
  return (
    <Sparkline
      label={`${headline.configuration}: Pass@N over ${plural(headline.n, 'node')}, up to ${percent(headline.value)} %`}
      area={headline.curve.map((rate) => rate * 100)}
      length={headline.curve.length}
      color={headlineColor(view, headline)}
    />
  );
}
