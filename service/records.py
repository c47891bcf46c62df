"""Exporting a match as a record: what its holder needs to prove it without the server."""

from importlib.metadata import PackageNotFoundError, version

from domain.core.errors import Illegal
from domain.core.record import FORMAT, Inclusion, Record, RecordKey, record_commits
from domain.core.words import ARBITER, Viewer, viewer_name
from infra.signing import Signer
from infra.transparency import Transparency
from service.live import LiveMatch
from service.play import Play


def software() -> str:
    """Name and version of the build, for information only."""
    try:
        return f"podesta {version('podesta')}"
    except PackageNotFoundError:
        return "podesta"


class Records:
    """Makes records. signer: whose keys check the receipts; log: where inclusion is proved."""

    def __init__(self, play: Play, signer: Signer, log: Transparency) -> None:
        self._play = play
        self._signer = signer
        self._log = log

    async def record(self, match: str, account: str | None, viewer: Viewer | None = None) -> Record:
        """The match as the account may take it away: as its own seat, or the gallery, if no viewer is named.

        Raises Illegal if there is no such match, or for a viewer that the account may not look as.
        """
        live = await self._play.live.fresh(match)
        own = self._play.viewer(live, account)
        return await self.of(live, own if viewer is None else self._play.entitled(live, own, viewer))

    async def as_operator(self, match: str, viewer: Viewer, log_size: int | None = None) -> Record:
        """The match as any viewer: for whoever runs the server.

        log_size: of an older checkpoint that its inclusion is to be proved under, so that somebody who holds that one
        can compare. Raises Illegal for a match or seat that is none, ValueError for a size that was never signed.
        """
        live = await self._play.live.fresh(match)
        seats = len(live.history.table.seats)
        if not ARBITER <= viewer < seats:
            raise Illegal("no_such_viewer", "S3", f"There is no seat {viewer}.", f"Seats 0 to {seats - 1}.")
        return await self.of(live, viewer, log_size)

    async def of(self, live: LiveMatch, viewer: Viewer, log_size: int | None = None) -> Record:
        """The record of a match as it stands, for a viewer who was found to be entitled."""
        table = live.history.table
        checkpoint, proofs = await self._log.proofs(live.match, log_size)
        inclusions = [Inclusion(proof.index, proof.path) for proof in proofs]
        reads = live.reads(0, live.history.version)
        return Record(
            format=FORMAT,
            match=live.match,
            viewer=viewer_name(viewer),
            game=table.game,
            rules=table.rules,
            digest=table.digest,
            over=live.over,
            keys=tuple(RecordKey(key.id, key.key) for key in self._signer.public_keys),
            commits=record_commits(reads, viewer, live.salts, over=live.over, inclusions=inclusions),
            checkpoint=checkpoint,
            software=software(),
        )
