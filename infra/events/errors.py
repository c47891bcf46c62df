"""Why a store did not do what it was asked: typed, for whoever answers a client."""


class StoreBusyError(Exception):
    """Too much waits to be written: nothing was done, try again later."""


class StoreClosedError(Exception):
    """The store is closed: nothing was done."""


class StoreUnavailableError(Exception):
    """The database cannot be reached. Whether the commit was stored is not known: ask again under the same id."""
