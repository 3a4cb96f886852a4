import styles from './pick-tiles.module.css';

export type PickTile = {
  readonly id: string;
  readonly label: string;
  /** A line below, e.g. what it is. */
  readonly detail: string;
  /** Tooltip. */
  readonly title: string;
  /** Share in use, in [0, 1]; null: unknown. */
  readonly used01: number | null;
  /** Why it may be unsuitable; empty: nothing known. */
  readonly note: string;
  readonly tone: 'free' | 'used' | 'unhealthy';
};

/** Checkboxes as tiles, each with a usage bar. */
export function PickTiles(props: {
  readonly label: string;
  readonly tiles: readonly PickTile[];
  readonly picked: readonly string[];
  readonly onChange: (picked: readonly string[]) => void;
}) {
  const { label, tiles, picked, onChange } = props;
  const toggle = (id: string): void => {
    const next = picked.includes(id) ? picked.filter((other) => other !== id) : [...picked, id];
    onChange(tiles.map((tile) => tile.id).filter((tileId) => next.includes(tileId)));
  };
  return (
    <fieldset className={styles.tiles}>
      <legend>{label}</legend>
      {tiles.map((tile) => (
        <label key={tile.id} className={styles.tile} data-tone={tile.tone} title={tile.title}>
          <input
            type="checkbox"
            checked={picked.includes(tile.id)}
            onChange={() => toggle(tile.id)}
            aria-label={`${tile.label}, ${tile.detail}${tile.note === '' ? '' : `, ${tile.note}`}`}
          />
          <b>{tile.label}</b>
          <span>{tile.detail}</span>
          <i aria-hidden="true">
            <em style={{ width: `${(tile.used01 ?? 0) * 100}%` }} />
          </i>
          <small>{tile.note}</small>
        </label>
      ))}
    </fieldset>
  );
}
