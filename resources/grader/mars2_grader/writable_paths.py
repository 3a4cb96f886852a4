"""The folders where programs may write: whether a test has left anything there, and removing it."""

import os
import signal
from typing import List, Tuple

_SECONDS = 5
_Snapshot = Tuple[int, ...]


class WritablePath:
    """One such folder with its own file system, e.g. /tmp."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._mode = os.stat(path).st_mode & 0o7777
        self._free = _free_space(path)
        self._reset()

    def is_untouched(self) -> bool:
        """True when nothing was written here, not even a file that was removed again."""
        return _snapshot(self._path) == self._before

    def clean_up(self) -> bool:
        """Removes what tests have left. False: something could not be removed."""
        if self.is_untouched():
            return True
        _remove_all_in(self._path)
        self._reset()
        return self._free == _free_space(self._path) and not os.listdir(self._path)

    def _reset(self) -> None:
        """Restores mode and times of the folder itself, so that they carry no message to the next program."""
        os.chmod(self._path, self._mode)
        os.utime(self._path, ns=(0, 0))
        self._before = _snapshot(self._path)


class WorkingFolder:
    """Without a file system of our own: the content of the working folder is removed."""

    def is_untouched(self) -> bool:
        return False  # programs can also write elsewhere

    def clean_up(self) -> bool:
        if os.listdir("."):
            _remove_all_in(".")
        return True


def _snapshot(path: str) -> _Snapshot:
    stat = os.stat(path)
    times = (stat.st_atime_ns, stat.st_mtime_ns, stat.st_ctime_ns)
    return (stat.st_mode, stat.st_nlink, stat.st_size, *times, *_free_space(path))


def _free_space(path: str) -> Tuple[int, int]:
    """Free blocks and inodes: every file shows here, even one without a name."""
    free = os.statvfs(path)
    return free.f_bfree, free.f_ffree


def _remove_all_in(path: str) -> None:
    pid = os.fork()
    if pid == 0:
        # In a process of its own with a time limit: the trees may be deep and wide on purpose.
        signal.alarm(_SECONDS)
        try:
            import shutil  # here, because it would slow down every fork

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
