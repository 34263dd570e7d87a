"""The photo store in S3: complete files, timeouts and errors."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from server.storage.base import StorageError
from server.storage.photo_store import PhotoStore
from server.storage.s3 import S3FileStore
from tests.buckets import bucket_url, proxied_s3, shorten_timeouts
from tests.engines.cluster import Cluster
from tests.engines.flaky_proxy import FlakyProxy

SECRET = "not-for-logs"  # noqa: S105 - of the tests' own S3


@pytest.fixture
def url(cluster: Cluster) -> str:
    return bucket_url(cluster)


@pytest.fixture
def proxy(cluster: Cluster, url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlakyProxy]:
    """Provide a proxy to S3 that can be made to fail; new stores use it."""
    assert url
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", SECRET)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    yield from proxied_s3(cluster, monkeypatch)


@pytest.fixture
def photos(url: str, proxy: FlakyProxy, monkeypatch: pytest.MonkeyPatch) -> PhotoStore:
    """Return a store behind the proxy, with short timeouts."""
    proxy.forward()
    with monkeypatch.context() as patch:
        shorten_timeouts(patch)
        return PhotoStore.at(url)


def test_a_photo_is_stored_read_and_deleted(url: str) -> None:
    photos = PhotoStore.at(url)
    photos.check()
    assert list(photos.files.names()) == []
    photos.put("7K3Q", "a", b"first")
    photos.put("7K3Q", "a", b"second")
    assert photos.get("7K3Q", "a") == b"second"
    assert photos.local_path("7K3Q", "a") is None
    assert photos.head("7K3Q", "a", 3) == b"sec"
    assert (photos.get("7K3Q", "b"), photos.head("7K3Q", "b", 3), photos.files.open("7K3Q/b.jpg")) == (None,) * 3
    photos.delete("7K3Q", "a", "b")
    photos.delete("7K3Q")
    assert photos.get("7K3Q", "a") is None


def test_other_objects_are_not_photos(url: str) -> None:
    photos, beside = PhotoStore.at(url), PhotoStore.at(f"{url}/beside/")
    photos.put("7K3Q", "a", b"x")
    beside.put("7K3R", "b", b"x")
    for path in ("docs/a.jpg", "7K3Q/a.png", "prints/7K3Q/1-1", "7K3Q.jpg"):
        photos.files.put(path, b"x")
    assert [(game, photo) for game, photo, _ in photos.names()] == [("7K3Q", "a")]
    assert [(game, photo) for game, photo, _ in beside.names()] == [("7K3R", "b")]


def test_thousands_of_photos_are_listed_and_deleted(url: str) -> None:
    """S3 lists and deletes at most a thousand objects in a request."""
    photos = PhotoStore.at(url)
    ids = [f"{number:04}" for number in range(1_005)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda one: photos.put("7K3Q", one, b""), ids))
    assert sorted(photo for _, photo, _ in photos.names()) == ids
    photos.delete("7K3Q", *ids)
    assert list(photos.names()) == []


def test_large_files_are_transferred_in_parts(url: str) -> None:
    photos, data = PhotoStore.at(url), os.urandom(20_000_000)
    photos.put("7K3Q", "a", data)
    assert photos.get("7K3Q", "a") == data
    with photos.files.draft("prints/7K3Q/1") as draft:
        draft.write_bytes(data)
        assert draft.parent.stat().st_mode & 0o077 == 0
        photos.files.put_draft("prints/7K3Q/1", draft)
    assert not draft.parent.exists()
    found = photos.files.open("prints/7K3Q/1")
    assert found
    assert found.size == len(data)
    assert b"".join(found.pieces) == data


def _answers(status: int, code: str = "") -> Callable[[FlakyProxy], None]:
    return lambda proxy: proxy.answer(status, f"<Error><Code>{code}</Code></Error>".encode())


@pytest.mark.parametrize(
    ("fails", "words", "number"),
    [
        (lambda proxy: proxy.hang(), "cannot be reached, or does not answer in time", errno.EIO),
        (lambda proxy: proxy.reset(), "cannot be reached, or does not answer in time", errno.EIO),
        (lambda proxy: proxy.shut(), "cannot be reached, or does not answer in time", errno.EIO),
        (_answers(500, "InternalError"), "status 500", errno.EIO),
        (_answers(503, "SlowDown"), "overloaded", errno.EIO),
        (_answers(403, "AccessDenied"), "do not allow this", errno.EIO),
        (_answers(403, "InvalidAccessKeyId"), "the key's name", errno.EIO),
        (_answers(404, "NoSuchBucket"), "no such bucket", errno.EIO),
        (lambda proxy: proxy.answer(404, b"<html>a proxy's page</html>"), "status 404", errno.EIO),
        (lambda proxy: proxy.answer(301), "set AWS_REGION", errno.EIO),
        (_answers(507, "XMinioStorageFull"), "is full", errno.ENOSPC),
    ],
)
def test_a_failing_store_and_a_missing_photo_are_different_errors(
    url: str, proxy: FlakyProxy, photos: PhotoStore, fails: Callable[[FlakyProxy], None], words: str, number: int
) -> None:
    """Errors come within the timeout, in one line without secrets; afterwards all operations work again."""
    direct = PhotoStore.at(url)
    direct.put("7K3Q", "there", b"there")
    acts: list[Callable[[], object]] = [
        lambda: photos.put("7K3Q", "new", b"x" * 100_000),
        lambda: photos.get("7K3Q", "there"),
        lambda: photos.head("7K3Q", "there", 2),
        lambda: photos.files.open("7K3Q/there.jpg"),
        lambda: photos.delete("7K3Q", "there"),
        lambda: list(photos.names()),
        photos.check,
    ]
    fails(proxy)
    with ThreadPoolExecutor(len(acts)) as threads:
        errors = [one.exception(60) for one in [threads.submit(act) for act in acts]]
    for error in errors:
        assert isinstance(error, StorageError)
        assert words in str(error)
        assert error.errno == number
        assert "\n" not in str(error)
        assert SECRET not in f"{error} {error.__cause__} {error.__context__}"
    # Drop data that is still in the proxy.
    proxy.reset()
    proxy.forward()
    assert [photo for _, photo, _ in direct.names()] == ["there"]
    assert direct.get("7K3Q", "there") == b"there"


@pytest.mark.parametrize("fails", ["hang", "reset"])
def test_an_interrupted_upload_leaves_nothing(url: str, proxy: FlakyProxy, photos: PhotoStore, fails: str) -> None:
    getattr(proxy, fails)(after=100_000)
    with pytest.raises(StorageError):
        photos.put("7K3Q", "a", b"x" * 1_000_000)
    proxy.reset()
    proxy.slow(0.2)
    again = PhotoStore.at(url)
    assert again.get("7K3Q", "a") is None
    again.put("7K3Q", "a", b"x" * 1_000_000)
    assert again.get("7K3Q", "a") == b"x" * 1_000_000


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("bucket", "is not the address of a bucket"),
        ("s3://", "is not the address of a bucket"),
        ("s3://[", "is not the address of a bucket"),
        ("file:///var/photos", "is not the address of a bucket"),
        ("https://s3.example.org/bucket", "is not the address of a bucket"),
        (f"s3://key:{SECRET}@bucket/x", "names no credentials"),
        ("s3://bucket/x?region=eu", "takes no options"),
    ],
)
def test_invalid_addresses_are_refused(address: str, words: str) -> None:
    with pytest.raises(StorageError, match=words) as error:
        S3FileStore(address)
    assert SECRET not in str(error.value)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("AWS_ENDPOINT", "nonsense", "not an address such as https://"),
        ("AWS_ENDPOINT", f"https://key:{SECRET}@s3.example.org", "not an address such as https://"),
        ("AWS_ENDPOINT_URL", "http://s3.example.org", "AWS_ALLOW_HTTP=true"),
        ("AWS_SECRET_ACCESS_KEY", "", "incomplete credentials"),
        ("AWS_CA_BUNDLE", "/nowhere/ca.pem", "AWS_CA_BUNDLE names /nowhere/ca.pem: No such file"),
    ],
)
def test_invalid_variables_are_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str) -> None:
    for one in [one for one in os.environ if one.startswith("AWS_")]:
        monkeypatch.delenv(one)
    for one in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(one, SECRET)
    monkeypatch.setenv(name, value)
    with pytest.raises(StorageError, match=words) as error:
        S3FileStore("s3://bucket/x")
    assert SECRET not in str(error.value)
