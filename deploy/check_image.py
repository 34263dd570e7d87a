"""Builds the image without a container engine, in a clean Debian, and tries it: what is checked is what is built.

    sudo python3 deploy/check_image.py [--work FOLDER] [--trust CERTIFICATES]

It reads the Containerfile and does its instructions in their order, each stage in a root file system of its own, which
`debootstrap` makes. Then it starts what came out as the image's user, on a file system that cannot be written but for
/data and /tmp, asks /healthz, and has one picture scanned. It needs root, Linux, debootstrap, and a way to Debian's,
Python's and npm's packages. `--trust` are certificates to believe while packages are fetched, behind a proxy that has
its own.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "deploy"))

from containerfile import Stage, read  # noqa: E402 - it lies beside this file, which needs no package

if TYPE_CHECKING:
    from collections.abc import Iterator

CONTAINERFILE = ROOT / "deploy" / "Containerfile"
IGNORE = ROOT / ".containerignore"
RELEASE = re.compile(r"debian:(\w+)-slim$")
ABSENT = ("pip", "pip3", "gcc", "cc", "make", "npm", "node", "git", "curl", "wget")
"""What the image must not have: nobody who gets in finds a tool to build with."""
HELPERS = ("proc", "dev")
_PATIENCE = 120
# Seconds for the server's first answer.


class CheckError(Exception):
    """The image is not as it should be; the message says what is wrong."""


def main() -> None:
    """Build, try, and say how large it has become; exit code 1 if something is wrong."""
    parser = argparse.ArgumentParser(description="Build the image without a container engine, and try it.")
    parser.add_argument("--work", type=Path, default=Path("/var/tmp/haggle-image"))  # noqa: S108 - root's own, 0700
    parser.add_argument("--trust", type=Path, default=None)
    wanted = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("check_image: run it as root: it makes root file systems")
    wanted.work.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        root, stage = build(wanted.work, wanted.trust)
        check(root)
        run(root, stage, wanted.work / "data")
    except CheckError as error:
        sys.exit(f"check_image: {error}")
    say("the image works")


def say(words: str) -> None:
    """Print a line with the time."""
    print(f"{time.strftime('%H:%M:%S')}  {words}", flush=True)


def build(work: Path, trust: Path | None) -> tuple[Path, Stage]:
    """Do what the Containerfile says; return the last stage's root and the stage."""
    roots: dict[str, Path] = {}
    stages = read(CONTAINERFILE)
    for number, stage in enumerate(stages):
        root = work / f"stage-{number}"
        _clear(root)
        say(f"stage {stage.name or 'that runs'}: {stage.base}")
        shell("cp", "--archive", "--reflink=auto", str(_base(work, stage.base)), str(root))
        _do(stage, root, roots, trust)
        roots[stage.name] = root
    return root, stages[-1]


def _base(work: Path, image: str) -> Path:
    """Return a minimal Debian of the release that an image's name tells, made once."""
    found = RELEASE.search(image)
    if not found:
        raise CheckError(f"{image} is no slim Debian: this script makes no other")
    base = work / f"debian-{found[1]}"
    if not (base / "finished").exists():
        _clear(base)
        say(f"debootstrap {found[1]}")
        shell("debootstrap", "--variant=minbase", found[1], str(base))
        (base / "finished").touch()
    return base


def _do(stage: Stage, root: Path, roots: dict[str, Path], trust: Path | None) -> None:
    place, variables = Path("/"), {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
    with _network(root, trust) as more:
        for step in stage.steps:
            if step.word in {"ENV", "ARG"}:
                variables |= step.pairs()
            elif step.word == "WORKDIR":
                place /= step.rest
                (root / place.relative_to("/")).mkdir(parents=True, exist_ok=True)
            elif step.word == "COPY":
                _copy(step.rest, root, root / place.relative_to("/"), roots)
            elif step.word == "RUN":
                say(f"  RUN {step.rest[:90]}")
                with _helpers(root):
                    command = f"cd {place} && {step.rest}"
                    shell("chroot", str(root), "/bin/sh", "-ec", command, env={**variables, **more})


def _copy(rest: str, root: Path, place: Path, roots: dict[str, Path]) -> None:
    found = re.match(r"--from=(\w+) ", rest)
    *sources, target = rest[found.end() if found else 0 :].split(" ")
    start = roots[found[1]] if found else ROOT
    for source in sources:
        origin = start / source.lstrip("/")
        goal = (root / target.lstrip("/")) if target.startswith("/") else place / target
        goal = goal / origin.name if target.endswith("/") else goal
        goal.parent.mkdir(parents=True, exist_ok=True)
        if origin.is_dir():
            leave_out = None if found else ignored
            shutil.copytree(origin, goal, symlinks=True, dirs_exist_ok=True, ignore=leave_out)
        else:
            if not found and hidden(source):
                raise CheckError(f"{source} is copied, but {IGNORE.name} keeps it from the engine")
            shutil.copy2(origin, goal)


def ignored(folder: str, names: list[str]) -> set[str]:
    """Return which files of a folder of ours the engine does not get to see."""
    where = Path(folder).relative_to(ROOT)
    return {name for name in names if hidden((where / name).as_posix())}


def hidden(path: str) -> bool:
    """Tell whether `.containerignore` keeps a path from the engine; the last line that fits counts."""
    answer = False
    for line in IGNORE.read_text(encoding="utf-8").splitlines():
        pattern = line.removeprefix("!").removeprefix("**/")
        parts = path.split("/")
        starts = ["/".join(parts[: number + 1]) for number in range(len(parts))]
        # A pattern that begins with **/ fits at any depth, others from the root on; what is below goes with it.
        tried = parts if "**/" in line else [start for start in starts if start.count("/") == pattern.count("/")]
        if line and not line.startswith("#") and any(fnmatch(one, pattern) for one in tried):
            answer = not line.startswith("!")
    return answer


@contextmanager
def _network(root: Path, trust: Path | None) -> Iterator[dict[str, str]]:
    """Let a root reach the network as this machine does, and leave nothing of that in it."""
    shutil.copy2("/etc/resolv.conf", root / "etc" / "resolv.conf")
    shutil.copy2("/etc/hosts", root / "etc" / "hosts")
    # Neither the services of a package that is installed, nor the machine's, start in there.
    policy = root / "usr" / "sbin" / "policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)
    more = {name: os.environ[name] for name in ("http_proxy", "https_proxy", "no_proxy") if name in os.environ}
    believed = root / "trusted.pem"
    if trust:
        shutil.copy2(trust, believed)
        names = ("SSL_CERT_FILE", "PIP_CERT", "NODE_EXTRA_CA_CERTS")
        more |= dict.fromkeys(names, "/trusted.pem")
    try:
        yield more
    finally:
        policy.unlink()
        believed.unlink(missing_ok=True)


@contextmanager
def _helpers(root: Path) -> Iterator[None]:
    """Mount what a system needs to run programs."""
    for name in HELPERS:
        (root / name).mkdir(exist_ok=True)
        shell("mount", "--rbind", f"/{name}", str(root / name))
        shell("mount", "--make-rslave", str(root / name))
    try:
        yield
    finally:
        for name in HELPERS:
            shell("umount", "--recursive", "--lazy", str(root / name))


def check(root: Path) -> None:
    """Look at what came out: no tools to build with, nothing of ours that its user could change."""
    for folder in ("usr/bin", "usr/local/bin", "usr/sbin", "bin", "opt/haggle/venv/bin"):
        for name in ABSENT:
            if (root / folder / name).exists():
                raise CheckError(f"the image has /{folder}/{name}")
    for file in (root / "opt").rglob("*"):
        if not file.is_symlink() and (file.stat().st_uid != 0 or file.stat().st_mode & 0o022):
            raise CheckError(f"/{file.relative_to(root)} can be written by others than root")
    size = sum(file.lstat().st_size for file in root.rglob("*") if file.is_file() and not file.is_symlink())
    ours = sum(file.lstat().st_size for file in (root / "opt").rglob("*") if file.is_file() and not file.is_symlink())
    say(f"the image has {size / 1e6:.0f} MB, {ours / 1e6:.0f} MB of them in /opt/haggle")


def run(root: Path, stage: Stage, data: Path) -> None:
    """Start the server as the image says it, on a file system that cannot be written, and use it."""
    _clear(data)
    data.mkdir()
    user, group = (int(part) for part in stage.last("USER").rest.split(":"))
    os.chown(data, user, group)
    port = _free_port()
    variables = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
    for step in stage.steps:
        variables |= step.pairs() if step.word == "ENV" else {}
    variables["HAGGLE_PORT"] = str(port)
    entry, command = stage.last("ENTRYPOINT").words(), stage.last("CMD").words()
    say("write outside /data and /tmp: refused")
    for place in ("/opt/haggle", "/etc", "/usr/local/bin", "/var/lib"):
        if _inside(root, data, user, variables, ["/bin/sh", "-c", f": > {place}/written"], quiet=True).wait() == 0:
            raise CheckError(f"{place} can be written")
    printed = [*entry, "print", "eurocg-2026", "--players", "2", "--faces", "--out", "/data/printed"]
    _finish("print a game", _inside(root, data, user, variables, printed))
    face = min((data / "printed").rglob("*.png"))
    within = f"/data/{face.relative_to(data)}"
    scanned = [*entry, "scan", within, "--game", "/data/printed/game.json", "--json"]
    found = json.loads(_finish("scan one of its cards", _inside(root, data, user, variables, scanned)))
    if not (found[0] if isinstance(found, list) else found)["cards"]:
        raise CheckError("the card was not read")
    with _serving(_inside(root, data, user, variables, [*entry, *command])):
        _answer(f"http://127.0.0.1:{port}/healthz")
        _finish("HEALTHCHECK", _inside(root, data, user, variables, stage.last("HEALTHCHECK").words()))
        page = _answer(f"http://127.0.0.1:{port}/desk").decode()
        for address in sorted(set(re.findall(r'"(/assets/[0-9a-f]{12}/[^"]+)"', page))):
            _answer(f"http://127.0.0.1:{port}{address}")
        say("the desk's page and its files: sent")
    _finish("backup", _inside(root, data, user, variables, [*entry, "backup", "/data/games.zip"]))
    restored = [*entry, "restore", "--overwrite", "/data/games.zip"]
    _finish("restore", _inside(root, data, user, variables, restored))
    variables["HAGGLE_DATA"] = "/data/printed"
    with _serving(_inside(root, data, user, variables, [*entry, *command])):
        _answer(f"http://127.0.0.1:{port}/healthz")
        sent = _answer(f"http://127.0.0.1:{port}/api/v1/scans", face.read_bytes())
        if not json.loads(sent)["cards"]:
            raise CheckError("the server did not read the card")
        say("a picture that was sent to the server: read")


def _inside(
    root: Path, data: Path, user: int, variables: dict[str, str], command: list[str], *, quiet: bool = False
) -> subprocess.Popen[str]:
    """Start a command in the image as its user, in a file system that cannot be written but for /data and /tmp."""
    script = (
        'set -e; root="$1"; data="$2"; user="$3"; shift 3;'
        ' mount --bind "$root" "$root"; mount --bind "$data" "$root/data";'
        ' mount -t tmpfs -o size=64m,mode=1777 tmpfs "$root/tmp"; mount -t proc proc "$root/proc";'
        ' mount --rbind /dev "$root/dev"; mount -o remount,ro,bind "$root";'
        ' exec chroot "$root" /usr/bin/setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs'
        ' --bounding-set=-all "$@"'
    )
    apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-c", script, "inside"]
    return subprocess.Popen(
        [*apart, str(root), str(data), str(user), *command],
        env=variables | {"PATH": f"{variables['PATH']}:/usr/sbin:/sbin"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL if quiet else None,
        text=True,
        start_new_session=True,
    )


def _finish(what: str, started: subprocess.Popen[str]) -> str:
    said, _ = started.communicate(timeout=300)
    if started.returncode:
        raise CheckError(f"{what}: exit code {started.returncode}")
    say(f"{what}: done")
    return said


@contextmanager
def _serving(server: subprocess.Popen[str]) -> Iterator[None]:
    try:
        yield
        os.killpg(server.pid, signal.SIGTERM)
        server.communicate(timeout=30)
    finally:
        if server.poll() is None:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()


def _answer(address: str, picture: bytes = b"") -> bytes:
    """Return what is at an address, or what it answers to a picture; wait for a server that only starts."""
    body = b'--end\r\nContent-Disposition: form-data; name="photo"; filename="p.png"\r\n\r\n%s\r\n--end--\r\n' % picture
    headers = {"Content-Type": "multipart/form-data; boundary=end"} if picture else {}
    call = urllib.request.Request(address, body if picture else None, headers)  # noqa: S310 - http to this machine
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            with urllib.request.urlopen(call, timeout=60) as answer:  # noqa: S310 - as above
                return bytes(answer.read())
        except OSError as error:
            if time.monotonic() > until or hasattr(error, "code"):
                raise CheckError(f"{address}: {error}") from None
            time.sleep(0.5)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _clear(folder: Path) -> None:
    """Delete a folder of ours; nothing may be mounted below it."""
    if any(str(folder) + "/" in line for line in Path("/proc/mounts").read_text().splitlines()):
        raise CheckError(f"something is mounted below {folder}: umount it first")
    if folder.exists():
        shell("rm", "--recursive", "--force", "--one-file-system", str(folder))


def shell(*command: str, env: dict[str, str] | None = None) -> None:
    """Run a command; CheckError with the end of what it said if it fails."""
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise CheckError(f"{' '.join(command)[:200]}: exit code {done.returncode}\n{done.stdout[-3000:]}")


if __name__ == "__main__":
    main()
