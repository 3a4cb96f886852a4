"""Not the peer's code: a progress bar that shows nothing, so that LiveCodeBench's grader runs without the package."""


class tqdm:
    def __init__(self, iterable=None, **_options):
        self._iterable = iterable

    def __iter__(self):
        return iter(self._iterable)

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        return None

    def update(self, _count=1):
        return None
