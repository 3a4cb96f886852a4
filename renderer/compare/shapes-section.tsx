import type { TreeShape } from '../../preload/contract/run-comparison';
import { count, percent, plural, Section, WideTable } from '../widgets/index';
import styles from './agents.module.css';
import { ConfigurationName, type NamedRow } from './figures-table';
import { ShowMore, useVisibleRows } from './show-more';
import tables from './tables.module.css';

/** Depth and width of the trees, and the share of passing programs by depth. */
export function ShapesSection(props: {
  readonly shapes: readonly TreeShape[];
  readonly rows: readonly NamedRow[];
}) {
  const { rows } = props;
  const { shown, hidden, more } = useVisibleRows(props.shapes);
  if (props.shapes.length === 0) return null;
  const deepest = Math.max(1, ...shown.map(({ maxDepth }) => maxDepth));
  return (
    <Section title="Depth and width of the trees">
      <WideTable className={tables.figures} label="Depth and width of the trees">
        <thead>
          <tr>
            <th scope="col">Configuration</th>
            <th scope="col">Trees</th>
            <th scope="col" title="Depth of the deepest node, mean over trees">
              Depth, mean
            </th>
            <th scope="col">Deepest</th>
            <th scope="col" title="First attempts of a tree, mean over trees">
              Width, mean
            </th>
            <th scope="col" title="Children per node with children, mean over trees">
              Branching
            </th>
            <th scope="col">Nodes by depth, and those that pass</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((shape) => (
            <tr key={shape.configuration}>
              <th scope="row">
                <ConfigurationName
                  name={shape.configuration}
                  color={rows.find(({ name }) => name === shape.configuration)?.color ?? ''}
                />
              </th>
              <td className={tables.soft}>{count(shape.trees)}</td>
              <MeanCell shape={shape} name="meanDepth" />
              <td>{shape.maxDepth}</td>
              <MeanCell shape={shape} name="meanWidth" />
              <MeanCell shape={shape} name="meanBranching" />
              <td>
                <DepthBars shape={shape} deepest={deepest} />
              </td>
            </tr>
          ))}
        </tbody>
      </WideTable>
      <ShowMore hidden={hidden} noun="configuration" onMore={more} />
    </Section>
  );
}

/** A mean, with its standard deviation over the seeds where there are several. */
function MeanCell(props: {
  readonly shape: TreeShape;
  readonly name: 'meanDepth' | 'meanWidth' | 'meanBranching';
}) {
  const { shape, name } = props;
  const spread = shape.seedSpreads?.[name];
  return (
    <td>
      {shape[name].toFixed(1)}
      {spread !== undefined && <small className={tables.soft}> SD {spread.sd.toFixed(1)}</small>}
    </td>
  );
}

const BAR = 14;
const HEIGHT = 26;

function DepthBars(props: { readonly shape: TreeShape; readonly deepest: number }) {
  const { shape, deepest } = props;
  const most = Math.max(1, ...shape.byDepth.map(({ nodes }) => nodes));
  const label = shape.byDepth
    .map(
      ({ depth, nodes, passed }) =>
        `depth ${depth}: ${plural(nodes, 'node')}, ${percent(passed / Math.max(1, nodes), 0)} % pass`,
    )
    .join('; ');
  return (
    <svg className={styles.depths} width={deepest * BAR} height={HEIGHT} role="img" aria-label={label}>
      <title>{label}</title>
      {shape.byDepth.map(({ depth, nodes, passed }) => {
        const tall = (share: number): number => (HEIGHT - 1) * share;
        const x = (depth - 1) * BAR + 1;
        return (
          <g key={depth}>
            <rect
              className={styles.nodes}
              x={x}
              width={BAR - 3}
              y={HEIGHT - tall(nodes / most)}
              height={tall(nodes / most)}
            />
            <rect
              className={styles.passed}
              x={x}
              width={BAR - 3}
              y={HEIGHT - tall(passed / most)}
              height={tall(passed / most)}
            />
          </g>
        );
      })}
    </svg>
  );
}
