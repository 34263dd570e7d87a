"""Whose a bucket is: a server sweeps files that no row of its database knows, so no other server's may lie there."""

from __future__ import annotations

import contextlib
import errno
import hashlib
from typing import TYPE_CHECKING

from server.play.installation import installation
from server.store.files import PlaceError

if TYPE_CHECKING:
    from server.play.house import House
    from server.store.photos import PhotoStore

OWNER = "owner"
"""The file that says whose all others are."""


def move_in(house: House) -> None:
    """Say that this server's photographs lie where they do; PlaceError where those of another server do.

    Another database makes another server, also an empty one that was named by mistake.
    """
    name = hashlib.sha256(b"photographs of " + installation(house).secret).hexdigest().encode()
    found = house.photos.files.get(OWNER)
    if found is None:
        house.photos.files.put(OWNER, name)
    elif found != name:
        raise PlaceError(
            errno.EINVAL,
            "HAGGLE_PHOTOS_URL names a place with the pictures of another server, whose database is another one: "
            f"name another prefix, or delete the file {OWNER} there if all of it belongs to this one",
        )


def move_out(photos: PhotoStore) -> None:
    """Leave it to the server that begins next to say whose all of it is: it may have another database from now on."""
    # What cannot be deleted now is told then.
    with contextlib.suppress(OSError):
        photos.files.delete([OWNER])
