"""Accounts have opaque ids and names that can be erased; tokens are random, kept as hashes, and end."""

import re

import pytest
from sqlalchemy import select, update

from infra.accounts import SqlAccounts
from infra.ports import Account
from infra.tables import accounts, tokens
from infra.vault import VaultError
from tests.infra.conftest import VAULT


class Hands:
    """A clock whose time is set by the test."""

    time = 1_000_000

    def now(self):
        return self.time


async def test_an_account_is_found_as_it_was_made(backend):
    ann = await backend.accounts.create("Ann", guest=False, roles=("arbiter", "admin"))
    guest = await backend.accounts.create(None, guest=True)
    assert re.fullmatch("a_[0-9a-f]{32}", ann.id)
    assert (ann.name, ann.guest, ann.roles) == ("Ann", False, ("arbiter", "admin"))
    assert await backend.accounts.find(ann.id) == ann
    assert await backend.accounts.find(guest.id) == guest
    assert guest.roles == ()
    assert await backend.accounts.find("a_none") is None


@pytest.mark.parametrize("role", ["", "two words"])
async def test_a_role_is_one_word(backend, role):
    with pytest.raises(ValueError, match="one word"):
        await backend.accounts.create("Ann", guest=False, roles=(role,))


async def test_an_erased_account_is_forgotten_and_that_is_on_record(backend):
    ann = await backend.accounts.create("Ann", guest=False, roles=("arbiter",))
    token = await backend.accounts.issue(ann.id)
    before = await backend.database.read(lambda c: c.execute(select(accounts)).one())
    assert b"Ann" not in bytes(before.sealed)
    assert await backend.accounts.erased(ann.id) is None
    assert await backend.accounts.erase(ann.id)
    assert await backend.accounts.find(ann.id) == Account(ann.id, None, guest=False)
    assert await backend.accounts.bearer(token) is None
    assert await backend.accounts.erased(ann.id) > 0
    assert not await backend.accounts.erase(ann.id)
    assert not await backend.accounts.erase("a_none")


async def test_a_backup_made_before_an_erasure_loses_the_name_with_the_key(backend):
    ann = await backend.accounts.create("Ann", guest=False)
    backup = await backend.database.read(lambda c: c.execute(select(accounts)).one()._asdict())
    await backend.accounts.erase(ann.id)

    def restore(connection):
        connection.execute(update(accounts).where(accounts.c.id == ann.id).values(sealed=backup["sealed"]))

    await backend.database.write(restore)
    assert (await backend.accounts.find(ann.id)).name is None


async def test_an_accounts_name_cannot_be_moved_to_another(backend):
    ann, bob = [await backend.accounts.create(name, guest=False) for name in ("Ann", "Bob")]
    rows = {row.id: row for row in await backend.database.read(lambda c: c.execute(select(accounts)).all())}
    moved = update(accounts).where(accounts.c.id == bob.id).values(sealed=rows[ann.id].sealed)
    await backend.database.write(lambda c: c.execute(moved))
    with pytest.raises(VaultError, match="damaged"):
        await backend.accounts.find(bob.id)


async def test_a_token_speaks_for_its_account_and_is_kept_as_a_hash(backend):
    ann = await backend.accounts.create("Ann", guest=False)
    token, second = await backend.accounts.issue(ann.id), await backend.accounts.issue(ann.id)
    assert token != second
    assert len(token) >= 43, "256 bits"
    assert await backend.accounts.bearer(token) == ann
    assert await backend.accounts.bearer(token + "x") is None
    assert await backend.accounts.bearer("") is None
    kept = await backend.database.read(lambda c: c.execute(select(tokens)).all())
    assert len(kept) == 2
    assert all(token.encode() not in bytes(row.hash) and len(row.hash) == 32 for row in kept)
    with pytest.raises(LookupError, match="no account"):
        await backend.accounts.issue("a_none")


async def test_a_revoked_token_speaks_for_nobody_and_others_still_do(backend):
    ann = await backend.accounts.create("Ann", guest=False)
    token, other = await backend.accounts.issue(ann.id), await backend.accounts.issue(ann.id)
    assert await backend.accounts.revoke(token)
    assert await backend.accounts.bearer(token) is None
    assert await backend.accounts.bearer(other) == ann
    assert not await backend.accounts.revoke(token)
    assert not await backend.accounts.revoke("pt_none")


async def test_a_token_ends_when_its_time_is_over(backend):
    clock = Hands()
    accounts = SqlAccounts(backend.database, clock, VAULT)
    ann = await accounts.create("Ann", guest=False)
    token = await accounts.issue(ann.id, 60)
    clock.time += 59_999
    assert await accounts.bearer(token) == ann
    clock.time += 1
    assert await accounts.bearer(token) is None
    assert not await accounts.revoke(token)
