import { AgentShapeMark } from '../widgets/index';
import type { LineName } from './curve-panels';
import styles from './curves.module.css';

/** Whose line is which; one that is pointed at comes to the front of every chart. */
export function CurveLegend(props: {
  readonly names: readonly LineName[];
  readonly onStress: (id: string | null) => void;
  /** Where the charts are read, e.g. "at 134 updates"; null: at their ends. */
  readonly at: string | null;
}) {
  const { names, onStress, at } = props;
  return (
    <ul className={styles.legend} aria-label="Lines">
      {names.map(({ id, label, color, shape }) => (
        <li key={id} onPointerEnter={() => onStress(id)} onPointerLeave={() => onStress(null)}>
          <i style={{ background: color }} />
          <AgentShapeMark agent={{ shape, color }} size={9} />
          <span>{label}</span>
        </li>
      ))}
      {at !== null && <li className={styles.at}>{at}</li>}
    </ul>
  );
}
