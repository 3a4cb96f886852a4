import { Button } from '@mantine/core';
import { notifications, notificationsStore } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import { type Notice, useNotices, useRoute } from '../state/index';
import { Hint } from '../widgets/index';
import { CLOSES_MS, closesAfterMs, leavesWithScreen, noticesToHide } from './notice-limit';

const COLORS: Readonly<Record<Notice['level'], string>> = {
  info: 'var(--accent)',
  warning: 'var(--fair-mark)',
  error: 'var(--bad-mark)',
};
const TITLES: Readonly<Record<Notice['level'], string | undefined>> = {
  info: undefined,
  warning: 'Warning',
  error: 'Error',
};

/** Shows each notice once. */
export function useNoticePopups(): void {
  const notices = useNotices();
  const screen = useRoute().kind;
  const shown = useRef(0);
  useEffect(() => {
    for (const notice of notices) {
      if (notice.id <= shown.current) continue;
      shown.current = notice.id;
      show(notice);
    }
  }, [notices]);
  useEffect(() => {
    for (const standing of notificationsStore.getState().notifications) {
      const notice = notices.find((one) => noticeId(one) === standing.id);
      if (notice !== undefined && leavesWithScreen(notice))
        notifications.update({ ...standing, autoClose: CLOSES_MS });
    }
    // Only another screen counts, not another notice.
  }, [screen]);
}

const noticeId = ({ key, id }: Notice): string => key ?? `notice-${id}`;

function show(notice: Notice): void {
  const id = noticeId(notice);
  const standing = notificationsStore.getState().notifications.map((notification) => notification.id);
  const others = standing.flatMap((shownId) => (shownId === undefined || shownId === id ? [] : [shownId]));
  for (const old of noticesToHide(others)) notifications.hide(old);
  const { action, hint } = notice;
  const put = standing.includes(id) ? notifications.update : notifications.show;
  put({
    id,
    color: COLORS[notice.level],
    title: notice.title ?? TITLES[notice.level],
    autoClose: closesAfterMs(notice),
    role: notice.level === 'error' ? 'alert' : 'status',
    closeButtonProps: { 'aria-label': 'Close notice' },
    message: (
      <>
        <span data-selectable style={{ overflowWrap: 'anywhere' }}>
          {notice.message}
        </span>
        {hint !== undefined && <Hint text={hint} />}
        {action !== undefined && (
          <Button
            variant="default"
            mt={8}
            display="block"
            onClick={() => {
              notifications.hide(id);
              action.run();
            }}
          >
            {action.label}
          </Button>
        )}
      </>
    ),
  });
}
