import { Tooltip } from '@mantine/core';
import type { Scale } from '../../../preload/contract/scale';
import styles from './scale-tag.module.css';

const MEANING: Readonly<Record<Scale, string>> = {
  pocket: 'Pocket scale: generated problems and small policies, really run',
  recorded: 'Recorded: replayed outputs of real models',
  desk: 'Desk scale: small language models by name, on a processor or one GPU',
  paper: 'Paper scale: full-size models',
  own: 'Own: other language models, trained and run here',
};

/** The scale of numbers, or the scales that are among them; shown wherever numbers are. */
export function ScaleTag(props: { readonly scale: Scale | readonly Scale[] }) {
  const scales = [props.scale].flat();
  return <Tag text={scales.join(', ')} meaning={scales.map((scale) => MEANING[scale]).join('. ')} />;
}

/** What stands below a row's name, with its scale where the table has several. */
export function noteWithScale(
  note: string,
  scale: Scale | undefined,
  all: readonly { readonly scale: Scale }[],
): string {
  return all.every((one) => one.scale === scale) ? note : [note, scale].filter(Boolean).join(', ');
}

/**
 * What a benchmark is: generated at pocket scale, or imported. Its record calls all imported ones `paper`; whether a study is
 * of that scale is decided by its models and problems.
 */
export function BenchmarkTag(props: { readonly scale: Scale }) {
  if (props.scale === 'pocket') return <ScaleTag scale="pocket" />;
  return (
    <Tag
      text="imported"
      meaning="Imported problems. A study of them is of scale recorded with recordings, and of scale paper only with a paper's models on all problems of that paper."
    />
  );
}

function Tag({ text, meaning }: { readonly text: string; readonly meaning: string }) {
  return (
    <Tooltip label={meaning} multiline w={240}>
      <span className={styles.tag}>{text}</span>
    </Tooltip>
  );
}
