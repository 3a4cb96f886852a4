import type { Exhibit, ExhibitReference } from '../../preload/contract/exhibit';
import { agentNames, COMPLEMENT_SHORT } from '../../preload/contract/plans/index';
import type { ExhibitScale } from '../state/index';
import { Fact, Facts, plural } from '../widgets/index';
import { referenceText } from './cell-text';
import styles from './exhibit.module.css';
import { firstSentence } from './exhibit-text';
import { canBeMeasured } from './exhibit-views';

/** The exhibit's question, models, how it is measured at this scale, and the paper's claims. */
export function AboutExhibit(props: { readonly exhibit: Exhibit; readonly scale: ExhibitScale }) {
  const { exhibit, scale } = props;
  const { paper, models, claims, note } = exhibit;
  const [first, rest] = firstSentence(note);
  return (
    <section className={styles.detail} aria-label="About this exhibit">
      <header>
        <h2>About this exhibit</h2>
      </header>
      {note !== '' && <p data-selectable>{first}</p>}
      {rest !== '' && (
        <details className={styles.more}>
          <summary>More about it</summary>
          <p data-selectable>{rest}</p>
        </details>
      )}
      {scale === 'pocket' && canBeMeasured(exhibit) && <p className={styles.soft}>{COMPLEMENT_SHORT}.</p>}
      <Facts label="Its paper">
        <Fact name="Paper">
          {paper.title}
          {paper.arxiv !== null && `, arXiv ${paper.arxiv}`}
        </Fact>
      </Facts>
      <h3>The exhibit's settings</h3>
      <Facts label="How it is measured">
        {measurementFacts(exhibit, scale).map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </Facts>
      {canBeMeasured(exhibit) && <h3>Models</h3>}
      <ul className={styles.models} hidden={!canBeMeasured(exhibit)}>
        {models.map((model) => (
          <li key={model.id}>
            <span>{agentNames(exhibit, scale, [model])}</span>
            <small>
              {scale === 'pocket'
                ? model.pocket === null
                  ? 'no pocket model'
                  : `in the place of ${model.name}`
                : (model.paper?.hub ?? 'weights not available')}
            </small>
          </li>
        ))}
      </ul>
      {claims.length > 0 && (
        <>
          <h3>Claims of the paper</h3>
          <ul className={styles.sources}>
            {claims.map(({ text, reference, remark }) => (
              <li key={text}>
                <b>{claimText(reference)}</b>
                <span title={reference.map(({ source }) => source).join('; ')}>
                  {text}
                  {remark !== undefined && `. ${remark}`}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className={styles.tip} hidden={!canBeMeasured(exhibit)}>
        Select a {exhibit.cells.length > 0 ? 'cell' : 'line'} to see its sources, runs and cost.
      </p>
    </section>
  );
}

/** "4.5, 6.0 or 6.5 points": the values that its sources give. */
function claimText(reference: readonly ExhibitReference[]): string {
  const texts = reference.map(referenceText);
  const last = texts.at(-1) ?? '';
  const unit = reference[0]?.unit ?? 'number';
  const listed = texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} or ${last}`;
  return unit === 'number' ? listed : `${listed} ${unit}`;
}

function measurementFacts({ scales }: Exhibit, scale: ExhibitScale): readonly (readonly [string, string])[] {
  const seedText = (seeds: readonly number[]): string => `${seeds.length} (${seeds.join(', ')})`;
  if (scales.pocket === null && scales.paper === null)
    return [['Measured', 'by the studies and trainings that its file names']];
  if (scale === 'pocket') {
    const { pocket } = scales;
    if (pocket === null) return [['Measured', 'not at pocket scale']];
    return [
      ['Problems', plural(pocket.benchmark.problems, `generated ${pocket.benchmark.split} problem`)],
      ['N', `${plural(pocket.search.nodes, 'node')} per tree`],
      ['Seeds', seedText(pocket.seeds)],
    ];
  }
  const { paper } = scales;
  if (paper === null) return [['Measured', 'not at paper scale']];
  const { name, from, to, problems } = paper.benchmark;
  const days = from === null && to === null ? '' : `, ${from ?? 'the first day'} to ${to ?? 'the last day'}`;
  return [
    ['Problems', `${plural(problems, 'problem')} of ${name}${days}`],
    ['N', `${plural(paper.search.nodes, 'node')} per tree`],
    ['Seeds', seedText(paper.seeds)],
  ];
}
