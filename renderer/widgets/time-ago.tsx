import { ago } from './format';
import { useNow } from './use-now';

/** Relative, with the exact time on hover. `at` is an ISO date. */
export function TimeAgo(props: { readonly at: string }) {
  const now = useNow();
  const then = new Date(props.at);
  return (
    <time dateTime={props.at} title={then.toLocaleString()} style={{ whiteSpace: 'nowrap' }}>
      {ago(then.getTime(), now)}
    </time>
  );
}
