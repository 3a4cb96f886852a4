import { useState } from 'react';
import type { Analysis } from '../../../preload/contract/analysis';
import { FilterText } from '../../widgets/index';
import type { EstimateColumns, EstimateFacts } from './estimate-table';
import styles from './method-notes.module.css';

type Entry = { readonly term: string; readonly lines: readonly string[] };
type Topic = { readonly title: string; readonly entries: readonly Entry[] };

/**
 * What stands under a table of estimates: in a line what its intervals and letters are, and in full, on request, what every
 * column and sign means and how it is computed, with a field to find a word in it. `unfinished`: said until all is measured.
 */
export function MethodNotes(props: {
  readonly analysis: Analysis;
  readonly columns: EstimateColumns;
  readonly facts: EstimateFacts;
  readonly unfinished: string;
}) {
  const { analysis, columns, facts, unfinished } = props;
  const [wanted, setWanted] = useState('');
  const topics = methodTopics(analysis, columns, facts).flatMap(({ title, entries }) => {
    const found = entries.filter((entry) => contains(entry, wanted));
    return found.length === 0 ? [] : [{ title, entries: found }];
  });
  return (
    <details className={styles.method}>
      <summary>
        95 % intervals over problems
        {analysis.rows.some(({ seeds }) => seeds.length > 1) ? ' and seeds' : ''}
        {analysis.complete ? '' : `; ${unfinished}`}
        {analysis.looks === undefined ? '' : `; after looking ${analysis.looks} times`}
        {analysis.groupings.length === 0
          ? ''
          : '; configurations that share a letter do not differ significantly'}
        . <u>Method</u>
      </summary>
      <div className={styles.notes}>
        <FilterText where="Find a word, e.g. letters" value={wanted} onChange={setWanted} />
        {topics.length === 0 && <p>The method does not mention this.</p>}
        {topics.map(({ title, entries }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <dl>
              {entries.map(({ term, lines }) => (
                <div key={term}>
                  <dt>{term}</dt>
                  <dd>
                    {lines.map((line) => (
                      <p key={line}>{line}</p>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </details>
  );
}

function contains({ term, lines }: Entry, words: string): boolean {
  const text = [term, ...lines].join(' ').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** What the columns are, what the signs beside their values mean, and how both are computed. */
export function methodTopics(
  analysis: Analysis,
  columns: EstimateColumns,
  facts: EstimateFacts,
): readonly Topic[] {
  return [
    {
      title: 'Columns',
      entries: [...columns, ...facts].map(({ label, hint }) => ({ term: label, lines: [`${hint}.`] })),
    },
    { title: 'Signs', entries: signs(analysis, columns) },
    {
      title: 'How it is computed',
      entries: analysis.methodNotes.map(({ topic, lines }) => ({ term: topic, lines })),
    },
  ];
}

function signs({ rows, groupings }: Analysis, columns: EstimateColumns): readonly Entry[] {
  const lettered = new Set(groupings.map(({ metric }): string => metric));
  const without = columns.flatMap(({ id, label }) => (lettered.has(id) ? [] : [label]));
  const hasSpread = rows.some(({ cells }) => cells.some(({ seedSpread }) => seedSpread !== undefined));
  return [
    { term: 'x – y', lines: ['Beside a value: the ends of its 95 % interval.'] },
    {
      term: 'line and tick',
      lines: ['Under a value: its interval and the value itself, on a scale from 0 to 100 %.'],
    },
    ...(lettered.size === 0
      ? []
      : [
          {
            term: 'a, b, ab',
            lines: [
              'Letters beside a value: configurations that share a letter do not differ significantly in this column. That does not show that they are equal.',
              ...(without.length === 0
                ? []
                : [`No letters in ${without.join(' and ')}: differences in it are not tested.`]),
            ],
          },
        ]),
    ...(hasSpread
      ? [{ term: 'SD', lines: ['Standard deviation over the seeds, each a mean over the same problems.'] }]
      : []),
    { term: '–', lines: ['Nothing was measured here yet, or it cannot be.'] },
  ];
}
