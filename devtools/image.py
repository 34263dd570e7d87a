"""`python -m devtools.image`: builds the image with Podman and tries it, read-only and without privileges.

It needs root, Podman, runc and debootstrap (Debian: apt install podman runc debootstrap), and asks no registry of
images: the base is a minimal Debian made here.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[1]
RELEASE = "bookworm"
BASE, IMAGE, CONTAINER, VOLUME = "localhost/haggle-base", "localhost/haggle-try", "haggle-try", "haggle-try"
PORT = 18790
START_LIMIT = 60.0
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
"""The certificates that this machine trusts, such as that of a company's proxy, which the build has to trust too."""
CONFINED = ("--read-only", "--cap-drop", "all", "--security-opt", "no-new-privileges", "--network", "host")
"""As in compose.yaml, but for the network."""


def run(*command: str | Path) -> str:
    """Run a program; return its output."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def succeeds(*command: str | Path) -> bool:
    """Run a program without showing its output; return whether it succeeds."""
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


def make_base() -> None:
    """Make a minimal Debian and import it as an image, unless there is one."""
    if succeeds("podman", "image", "exists", BASE):
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder, archive = Path(scratch) / "root", Path(scratch) / "root.tar"
        run("debootstrap", "--variant=minbase", RELEASE, folder)
        trusted = folder / "usr/local/share/ca-certificates"
        trusted.mkdir(parents=True)
        ends = "-----END CERTIFICATE-----\n"
        for number, one in enumerate(CERTIFICATES.read_text().split(ends)[:-1]):
            (trusted / f"{number}.crt").write_text(one + ends)
        run("tar", "--create", "--file", archive, "--directory", folder, ".")
        run("podman", "import", "--change", "ENV SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt", archive, BASE)


def build() -> None:
    """Build the image."""
    podman = ["podman", "build", "--format", "docker", "--isolation", "chroot", "--build-arg", f"DEBIAN={BASE}"]
    subprocess.run([*podman, "--file", "deploy/Containerfile", "--tag", IMAGE, "."], cwd=ROOT, check=True)


def get(path: str) -> bytes:
    """Return what the server answers."""
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}{path}", timeout=30) as reply:
        return bytes(reply.read())


def try_command(name: str) -> None:
    """Start `serve` or `demo`, wait until the health check passes, and look at what the server answers."""
    run("podman", "volume", "create", VOLUME)
    options = ["--detach", "--name", CONTAINER, *CONFINED, "--volume", f"{VOLUME}:/data", "--tmpfs", "/tmp"]  # noqa: S108 - the container's
    began = time.monotonic()
    # Podman's own limits may be above those of this machine.
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    options += ["--ulimit", f"nofile={files}:{files}", "--ulimit", "nproc=1024:1024", "--env", f"HAGGLE_PORT={PORT}"]
    run("podman", "--runtime", "runc", "run", *options, IMAGE, name, "--port", str(PORT))
    try:
        while not succeeds("podman", "healthcheck", "run", CONTAINER):
            if time.monotonic() - began > START_LIMIT:
                sys.exit(f"{name} is not healthy:\n{run('podman', 'logs', CONTAINER)}")
            time.sleep(0.5)
        print(f"{name}: healthy after {time.monotonic() - began:.1f} s")
        user = run("podman", "exec", CONTAINER, "id", "--user")
        written = succeeds("podman", "exec", CONTAINER, "touch", "/opt/haggle/x")
        print(f"{name}: user {user}, its file system {'CAN BE WRITTEN' if written else 'is read-only'}")
        if name == "demo":
            sheets = get("/demo/print/sheets.pdf")
            print(f"demo: sheets of {len(sheets)} bytes")
            if not sheets.startswith(b"%PDF"):
                sys.exit("demo: sheets are missing")
        elif not get("/desk").startswith(b"<!doctype html>"):
            sys.exit("serve: there is no desk")
        if user != "10001" or written:
            sys.exit(f"{name}: it has privileges")
    finally:
        began = time.monotonic()
        run("podman", "stop", "--time", "30", CONTAINER)
        run("podman", "rm", "--force", CONTAINER)
        print(f"{name}: stopped after {time.monotonic() - began:.1f} s")
        run("podman", "volume", "rm", "--force", VOLUME)


def main() -> None:
    """Build and try the image."""
    make_base()
    build()
    size = int(run("podman", "image", "inspect", "--format", "{{.Size}}", IMAGE))
    print(f"image: {size / 1e6:.0f} MB")
    for name in ("serve", "demo"):
        try_command(name)


if __name__ == "__main__":
    main()
