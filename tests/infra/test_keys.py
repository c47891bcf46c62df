"""Keys at rest: the vault's secrets, the signer's receipts, and the files that hold keys."""

import msgspec
import pytest

from infra.ports import Secrets
from infra.signing import ReceiptError, Signer, rotate_key_file, signer_from_file, verify_receipt
from infra.vault import Vault, VaultError, key_file
from tests.support.commits import Line

SECRETS = Secrets(b"s" * 32, b"t" * 32)
OLD, NEW = b"o" * 32, b"n" * 32


def test_the_vault_gives_back_what_it_sealed_and_shows_nothing_of_it():
    vault = Vault(OLD)
    key, sealed = vault.seal("m", SECRETS)
    assert vault.open("m", key, sealed) == SECRETS
    assert SECRETS.seed not in sealed
    assert SECRETS.salts not in sealed
    assert vault.seal("m", SECRETS)[1] != sealed


def test_a_sealed_row_cannot_be_moved_to_another_match_nor_changed():
    vault = Vault(OLD)
    key, sealed = vault.seal("m", SECRETS)
    with pytest.raises(VaultError, match="damaged"):
        vault.open("other", key, sealed)
    with pytest.raises(VaultError, match="damaged"):
        vault.open("m", key, sealed[:-1] + bytes([sealed[-1] ^ 1]))


def test_a_new_vault_key_goes_in_front_and_old_rows_stay_readable():
    row = Vault(OLD).seal("m", SECRETS)
    rotated = Vault(NEW, OLD)
    assert rotated.open("m", *row) == SECRETS
    assert rotated.seal("m", SECRETS)[0] != row[0]
    with pytest.raises(VaultError, match="not among the vault's keys"):
        Vault(NEW).open("m", *row)


def test_vault_keys_and_secrets_have_32_bytes():
    with pytest.raises(ValueError, match="32 bytes"):
        Vault(b"short")
    with pytest.raises(ValueError, match="32 bytes"):
        Vault(OLD).seal("m", Secrets(b"short", b"t" * 32))


def test_a_key_file_is_made_once_and_for_its_owner_alone(tmp_path):
    path = tmp_path / "vault.key"
    key = key_file(path)
    assert len(key) == 32
    assert key_file(path) == key
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["vault.key"]


def test_a_key_file_that_others_may_read_or_that_holds_no_key_is_refused(tmp_path):
    path = tmp_path / "vault.key"
    key_file(path)
    path.chmod(0o640)
    with pytest.raises(ValueError, match="chmod 600"):
        key_file(path)
    path.chmod(0o600)
    path.write_text("not hex")
    with pytest.raises(ValueError, match="does not hold a key"):
        key_file(path)
    with pytest.raises(ValueError, match="does not hold signing keys"):
        signer_from_file(path)


def test_a_receipt_says_what_was_stored_and_verifies():
    signer, commit = Signer(OLD), Line("m").opening()
    receipt = signer.receipt(commit)
    found = verify_receipt(receipt, signer.public_keys)
    assert (found.match, found.first, found.version, found.time) == ("m", 1, 1, commit.time)
    assert found.head == commit.head.hex()
    assert found.key == signer.key_id
    assert found.command == msgspec.json.decode(commit.header)["command"]
    assert signer.receipt(commit) == receipt


def test_the_form_of_receipts_is_golden():
    """Receipts that clients hold must verify for ever: never change these bytes."""
    line = Line("m_1")
    line.secrets = SECRETS
    assert Signer(OLD).receipt(line.opening("c1")) == (
        b'{"command":"4f69e5d20c33f0348f4a0ff8658a8ce8cbd633dca1e4ac9060a7522081045cbe","first":1,'
        b'"head":"cb8170f7a7b3eca8421ce1907433027a1050fd08f7027b798d5164cd61c8a54a","key":"c0f4abe2d01cb237",'
        b'"match":"m_1","signature":"91fda57e5f87124560a5e114fe99454c8bd435f07765aa7971f3b0b7882c256d02ec1367'
        b'6bdcb20318b2a73af797fe443d147803defa01e634c0d0d2dd7ec009","time":1000,"version":1}'
    )


def test_a_row_of_the_vault_is_golden():
    """Secrets sealed once must open for ever."""
    sealed = bytes.fromhex(
        "00000000000000000000000039ea4892efa6d4f11531f4f11ca76dc3abe760b4449edef3d2311f7215889fb362a087c2"
        "ddb019961714cac01575b7c8c6d73aed83f58f4ab478424b1145fa8622951f1bbf65afde69b29f4a63e91109"
    )
    assert Vault(OLD).open("m_1", "11000250c6f4f287", sealed) == SECRETS


@pytest.mark.parametrize("change", [{"version": 9}, {"key": "0" * 16}, {"signature": "00"}, {"more": 1}])
def test_a_changed_receipt_does_not_verify(change):
    signer = Signer(OLD)
    fields = msgspec.json.decode(signer.receipt(Line("m").opening())) | change
    with pytest.raises(ReceiptError):
        verify_receipt(msgspec.json.encode(fields), signer.public_keys)


def test_receipts_stay_verifiable_after_a_rotation(tmp_path):
    path = tmp_path / "signing.key"
    first, commit = signer_from_file(path), Line("m").opening()
    receipt = first.receipt(commit)
    second = rotate_key_file(path)
    assert second.key_id != first.key_id
    assert verify_receipt(receipt, second.public_keys).key == first.key_id
    assert signer_from_file(path).public_keys == second.public_keys
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(list(tmp_path.iterdir())) == 1
