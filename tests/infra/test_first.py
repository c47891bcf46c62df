from infra.backends import open_sqlite
from infra.ports import Answered, Appended, MatchFilter, Raced
from infra.vault import Vault
from tests.support.commits import Line


async def test_a_match_is_stored_and_projected(tmp_path):
    backend = await open_sqlite(tmp_path / "p.db", Vault(b"k" * 32))
    try:
        line = Line()
        opening = line.opening()
        assert await backend.store.append(opening, line.secrets) == Appended()
        line.advance(opening)
        for make in (lambda: line.sit(0, "a_0"), line.start, line.move):
            commit = make()
            assert await backend.store.append(commit) == Appended()
            assert await backend.store.append(commit) == Answered(commit)
            stale = line.move("stale")
            line.advance(commit)
        assert await backend.store.append(stale) == Raced()
        assert await backend.store.secrets(line.match) == line.secrets
        assert len(await backend.store.commits(line.match)) == 4
        assert [c.commit for c in await backend.store.commits(line.match, 1, 2)] == [2, 3]
        assert await backend.store.opened("a_0", "open") == opening
        await backend.store.ping()
        assert await backend.sequencer.drain() == 4
        lobby = backend.projectors["lobby"]
        assert await lobby.drain() == 4
        page = await backend.read_models.matches(MatchFilter(account="a_0"), 10, None)
        assert page.rows[0].status == "running"
        assert page.rows[0].seated == ("a_0", None)
        account = await backend.accounts.create("Ann", guest=False, roles=("arbiter",))
        token = await backend.accounts.issue(account.id)
        assert await backend.accounts.bearer(token) == account
        assert await backend.accounts.revoke(token)
        assert await backend.accounts.bearer(token) is None
        done = await lobby.rebuild()
        assert (done.commits, done.differing) == (4, 0)
        assert await backend.read_models.projected(line.match) == line.version
    finally:
        await backend.close()
