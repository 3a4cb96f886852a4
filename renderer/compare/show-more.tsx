import { Button } from '@mantine/core';
import { plural } from '../widgets/index';

export function ShowMore(props: {
  readonly hidden: number;
  readonly what: string;
  readonly onMore: () => void;
}) {
  if (props.hidden === 0) return null;
  return (
    <Button variant="subtle" size="compact-xs" mt={4} ml={-7} onClick={props.onMore}>
      Show more of {plural(props.hidden, `further ${props.what}`)}
    </Button>
  );
}
