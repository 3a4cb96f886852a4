import type { ReactNode } from 'react';
import type { SettingDifference } from '../../preload/contract/run-comparison';
import { Section, WideTable } from '../widgets/index';
import { ConfigurationName, type NamedRow } from './figures-table';
import { settingName, settingValue } from './setting-names';
import styles from './tables.module.css';

/** Up to this many configurations get a column each; more are grouped by value. */
const MAX_COLUMNS = 6;
/** Names shown before the rest is counted. */
const MAX_NAMES = 4;

/** The settings in which the configurations differ. */
export function SettingsSection(props: {
  readonly differences: readonly SettingDifference[];
  readonly rows: readonly NamedRow[];
}) {
  const { differences, rows } = props;
  return (
    <Section title="Settings that differ">
      {differences.length === 0 ? (
        <p className={styles.soft}>
          {rows.length < 2 ? 'Only one configuration.' : 'The configurations differ only in their seeds.'}
        </p>
      ) : rows.length <= MAX_COLUMNS ? (
        <SideBySide differences={differences} rows={rows} />
      ) : (
        <ByValue differences={differences} rows={rows} />
      )}
    </Section>
  );
}

function SideBySide(props: {
  readonly differences: readonly SettingDifference[];
  readonly rows: readonly NamedRow[];
}) {
  return (
    <WideTable className={styles.settings} label="Settings that differ">
      <thead>
        <tr>
          <th scope="col">Setting</th>
          {props.rows.map(({ name, color }) => (
            <th key={name} scope="col">
              <ConfigurationName name={name} color={color} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.differences.map(({ path, values }) => (
          <tr key={path}>
            <th scope="row">
              <span title={path}>{settingName(path)}</span>
            </th>
            {props.rows.map(({ name }, at) => (
              <td key={name}>{valueText(path, values[at], '–')}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}

function valueText(path: string, value: string | null | undefined, missing: string): ReactNode {
  return value == null ? <span className={styles.missing}>{missing}</span> : settingValue(path, value);
}

/** Values, most common first, each with the positions of the configurations that have it. */
export function groupByValue(
  values: readonly (string | null)[],
): readonly (readonly [string | null, readonly number[]])[] {
  const indicesByValue = new Map<string | null, number[]>();
  for (const [at, value] of values.entries()) {
    const indices = indicesByValue.get(value);
    if (indices === undefined) indicesByValue.set(value, [at]);
    else indices.push(at);
  }
  return [...indicesByValue].sort((a, b) => b[1].length - a[1].length);
}

function ByValue(props: {
  readonly differences: readonly SettingDifference[];
  readonly rows: readonly NamedRow[];
}) {
  const { differences, rows } = props;
  return (
    <WideTable className={styles.settings} label="Settings that differ">
      <thead>
        <tr>
          <th scope="col">Setting</th>
          <th scope="col">Value</th>
          <th scope="col">Configurations</th>
        </tr>
      </thead>
      {differences.map(({ path, values }) => {
        const groups = groupByValue(values);
        return (
          <tbody key={path}>
            {groups.map(([value, indices], at) => (
              <tr key={value ?? ''}>
                {at === 0 && (
                  <th scope="rowgroup" rowSpan={groups.length}>
                    <span title={path}>{settingName(path)}</span>
                  </th>
                )}
                <td>{valueText(path, value, 'not set')}</td>
                <td className={styles.names}>
                  {indices.slice(0, MAX_NAMES).map((index) => {
                    const row = rows[index];
                    return row === undefined ? null : <ConfigurationName key={row.name} {...row} />;
                  })}
                  {indices.length > MAX_NAMES && (
                    <span
                      className={styles.soft}
                      title={indices.map((index) => rows[index]?.name ?? '').join('\n')}
                    >
                      and {indices.length - MAX_NAMES} more
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        );
      })}
    </WideTable>
  );
}
