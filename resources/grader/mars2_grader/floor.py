"""The places where programs may write, as they were before the first program, and as they are after each test."""

import os
import signal
from typing import List, Tuple

_SECONDS = 5
_Look = Tuple[int, ...]


class Floor:
    """One place, e.g. /tmp."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._mode = os.stat(path).st_mode & 0o7777
        self._room = _room(path)
        self._tidy()

    def is_untouched(self) -> bool:
        """True when nothing was written here, not even something that is gone again."""
        return _look(self._path) == self._look

    def is_clean(self) -> bool:
        """True when no test has left anything here, or when all of it could be removed."""
        if self.is_untouched():
            return True
        _remove_all_in(self._path)
        self._tidy()
        return self._room == _room(self._path) and not os.listdir(self._path)

    def _tidy(self) -> None:
        """What a program can change of the place itself is put back, so that it cannot be a message."""
        os.chmod(self._path, self._mode)
        os.utime(self._path, ns=(0, 0))
        self._look = _look(self._path)


class WorkingFolder:
    """Without a file system of our own: what lies in the working folder is removed."""

    def is_untouched(self) -> bool:
        return False  # other programs write in the places beside it

    def is_clean(self) -> bool:
        if os.listdir("."):
            _remove_all_in(".")
        return True


def _look(path: str) -> _Look:
    stat = os.stat(path)
    times = (stat.st_atime_ns, stat.st_mtime_ns, stat.st_ctime_ns)
    return (stat.st_mode, stat.st_nlink, stat.st_size, *times, *_room(path))


def _room(path: str) -> Tuple[int, int]:
    """Free blocks and inodes: whatever is kept in the file system, under a name or without, shows here."""
    room = os.statvfs(path)
    return room.f_bfree, room.f_ffree


def _remove_all_in(path: str) -> None:
    pid = os.fork()
    if pid == 0:
        # In a process of its own and for a while only: the trees may be deep and wide on purpose.
        signal.alarm(_SECONDS)
        try:
            import shutil  # here, because it would make every fork dearer

            for name in _names(path):
                entry = os.path.join(path, name)
                if os.path.isdir(entry) and not os.path.islink(entry):
                    shutil.rmtree(entry, ignore_errors=True)
                else:
                    os.unlink(entry)
        finally:
            os._exit(0)
    os.waitpid(pid, 0)


def _names(path: str) -> List[str]:
    os.chmod(path, 0o700)
    return os.listdir(path)
