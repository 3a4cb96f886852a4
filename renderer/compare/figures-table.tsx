import type { ReactNode } from 'react';
import { WideTable } from '../widgets/index';
import styles from './tables.module.css';

/** A configuration's name and colour, the same in every part of the comparison. */
export type NamedRow = { readonly name: string; readonly color: string };

export type FigureColumn = {
  readonly id: string;
  readonly label: string;
  /** Tooltip. */
  readonly hint?: string;
};
/** A value, and its interval in a lighter tone. */
export type Figure = { readonly text: string; readonly aside?: string };

/** A table of configurations by values; unknown values are dashes. */
export function FiguresTable(props: {
  readonly rows: readonly NamedRow[];
  readonly label: string;
  readonly columns: readonly FigureColumn[];
  readonly figureOf: (configuration: string, columnId: string) => Figure | null;
  /** A last line, e.g. of sums. */
  readonly foot?: ReactNode;
}) {
  const { rows, label, columns, figureOf, foot } = props;
  return (
    <WideTable className={styles.figures} label={label}>
      <thead>
        <tr>
          <th scope="col">Configuration</th>
          {columns.map(({ id, label: name, hint }) => (
            <th key={id} scope="col" title={hint}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, color }) => (
          <tr key={name}>
            <th scope="row">
              <ConfigurationName name={name} color={color} />
            </th>
            {columns.map(({ id }) => (
              <td key={id}>
                <FigureText figure={figureOf(name, id)} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      {foot !== undefined && <tfoot>{foot}</tfoot>}
    </WideTable>
  );
}

export function ConfigurationName({ name, color }: NamedRow) {
  return (
    <span className={styles.configuration}>
      <i style={{ background: color }} />
      <span title={name}>{name}</span>
    </span>
  );
}

function FigureText({ figure }: { readonly figure: Figure | null }) {
  if (figure === null) return <span className={styles.missing}>–</span>;
  const { text, aside } = figure;
  return aside === undefined ? (
    text
  ) : (
    <>
      {text} <span className={styles.soft}>{aside}</span>
    </>
  );
}
