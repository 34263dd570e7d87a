"""Deployment files: no default passwords, minimal privileges, and only Caddy reachable."""

from __future__ import annotations

import configparser
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.server_process import STOP_LIMIT

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
REDIS: dict[str, Any] = yaml.safe_load((DEPLOY / "redis.yaml").read_text(encoding="utf-8"))
SECRETS = COMPOSE["secrets"] | REDIS["secrets"]
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"] | {"redis": REDIS["services"]["redis"]}
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
IMAGE = (DEPLOY / "Containerfile").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SERVICES)
def test_services_have_few_privileges_and_health_checks(name: str) -> None:
    """They have read-only file systems, no capabilities, resource limits, restarts and dependencies."""
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert set(service.get("cap_add", [])) <= ({"NET_BIND_SERVICE"} if name == "caddy" else set())
    assert "no-new-privileges:true" in service["security_opt"]
    assert not service.get("privileged")
    assert {"cpus", "memory", "pids"} <= set(service["deploy"]["resources"]["limits"])
    assert service["restart"] == ("no" if name == "tables" else "unless-stopped")
    assert service["tmpfs"]
    assert service["healthcheck"].get("disable") is True if name == "tables" else service["healthcheck"]["test"]
    for other, wanted in service.get("depends_on", {}).items():
        state = "service_completed_successfully" if other == "tables" else "service_healthy"
        assert wanted["condition"] == state


def test_the_first_start_succeeds() -> None:
    """Workers wait for a server, and migrations for the final database server.

    While PostgreSQL's image initializes the database, a temporary server listens at the socket only.
    """
    assert SERVICES["worker"]["depends_on"]["server"] == {"condition": "service_healthy"}
    assert "--host=127.0.0.1" in SERVICES["postgres"]["healthcheck"]["test"]
    for name in ("tables", "server", "worker"):
        assert SERVICES[name]["depends_on"]["postgres"] == {"condition": "service_healthy"}


def test_only_caddy_is_reachable() -> None:
    """No other service publishes ports or has internet access; networks are separate."""
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["caddy"]
    assert [name for name, service in SERVICES.items() if "network_mode" in service] == []
    assert {name for name, network in COMPOSE["networks"].items() if not network.get("internal")} == {"outside"}
    assert {name: set(service["networks"]) for name, service in SERVICES.items()} == {
        "caddy": {"outside", "pages"},
        "server": {"pages", "inside"},
        **{name: {"inside"} for name in ("tables", "worker", "postgres", "redis")},
    }


def test_limits_are_sufficient(tmp_path: Path) -> None:
    """For clean shutdowns, photos in memory, and archives in a temporary folder on disk, which a start clears."""
    source = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    source += "".join(unit.read_text(encoding="utf-8") for unit in UNITS)
    graces = re.findall(r"^(?: *stop_grace_period: (\d+)s|TimeoutStopSec=(\d+))$", source, re.MULTILINE)
    assert len(graces) >= 4
    assert min(int(container or unit) for container, unit in graces) > STOP_LIMIT
    limits, values = SERVICES["worker"]["deploy"]["resources"]["limits"], {}
    for what in ("cpus", "memory"):
        found = re.fullmatch(r"\$\{(HAGGLE_WORKER_[A-Z]+):-(\d+)g?\}", limits[what])
        assert found, what
        assert f"`{found[1]}" in (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
        values[what] = int(found[2])
    assert values["memory"] * 2**30 >= values["cpus"] * (300_000_000 + 1_100_000_000)
    assert re.findall(r"\bTMPDIR=(\S+)", IMAGE) == ["/data/tmp"]
    for name in ("tables", "server", "worker"):
        assert "TMPDIR" not in SERVICES[name]["environment"]
        assert "data:/data" in SERVICES[name]["volumes"]
    assert all("Environment=TMPDIR=/var/tmp\n" in unit.read_text(encoding="utf-8") for unit in UNITS)
    folder = tmp_path / "data" / "tmp"
    for name in ("haggle-left", "haggle-editions-x", "haggle-new", "another"):
        (folder / name).mkdir(parents=True)
    for old in ("haggle-left", "haggle-editions-x", "another"):
        os.utime(folder / old, (0, 0))
    script = (DEPLOY / "haggle.sh").read_text(encoding="utf-8").replace("exec /opt", "echo /opt")
    for where in (folder, tmp_path / "data" / "none"):
        command = ["sh", "-c", script, "haggle", "serve"]
        variables = {**os.environ, "TMPDIR": str(where)}
        output = subprocess.run(command, env=variables, check=True, capture_output=True, text=True)
        assert output.stdout == "/opt/haggle/venv/bin/haggle serve\n"
        assert where.stat().st_mode & 0o077 == 0 or where == folder
    assert {entry.name for entry in folder.iterdir()} == {"haggle-editions-x", "haggle-new", "another"}


def test_secrets_have_no_defaults() -> None:
    """Passwords are read from files, and the name of the server has to be set."""
    for name, service in (*SERVICES.items(), *REDIS["services"].items()):
        for variable, value in service.get("environment", {}).items():
            if re.search("PASSWORD|SECRET|TOKEN|KEY|DATABASE_URL|REDIS_URL", variable):
                assert variable.endswith("_FILE"), (name, variable)
                assert value.startswith("/run/secrets/"), (name, variable)
                assert value.removeprefix("/run/secrets/") in service["secrets"]
    assert {Path(secret["file"]).parent for secret in SECRETS.values()} == {Path("secrets")}
    assert "${HAGGLE_DOMAIN:?" in SERVICES["caddy"]["environment"]["HAGGLE_DOMAIN"]


def test_secrets_are_random_and_ignored_by_git(tmp_path: Path) -> None:
    made = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        for _ in range(2):
            subprocess.run(["sh", DEPLOY / "secrets.sh", folder], check=True, capture_output=True)  # noqa: S607 - the system's
            made.append({file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()})
        assert folder.stat().st_mode & 0o077 == 0
    assert set(made[0]) == set(SECRETS)
    assert made[0] == made[1]
    assert all(made[0][name] != made[2][name] for name in made[0])
    assert made[0]["postgres_password"] in made[0]["database_url"]
    assert re.fullmatch(r"postgresql://haggle:[0-9a-f]{64}@postgres:5432/haggle\n", made[0]["database_url"])
    password = re.search(r"^requirepass ([0-9a-f]{64})$", made[0]["redis_conf"], re.MULTILINE)
    assert password
    assert made[0]["redis_url"] == f"redis://:{password[1]}@redis:6379/0\n"
    assert {"/deploy/secrets/", "/deploy/.env"} <= set((ROOT / ".gitignore").read_text(encoding="utf-8").splitlines())


def test_the_image_has_locked_packages_and_runs_without_privileges() -> None:
    """Packages are locked by hash; the final stage has no build tools or secrets, and a fixed user id.

    All copied files exist and are not excluded by .dockerignore; secrets are.
    """
    made, runs = IMAGE.split("\nFROM ")[1:]
    assert re.findall(r"(?:pip install|uv build).*?(--require-hashes|--no-deps)", made) == [
        *["--require-hashes"] * 3,
        "--no-deps",
    ]
    assert not re.search(r"\b(curl|wget)\b|^ADD ", made + runs, re.MULTILINE)
    assert not re.search(r"\bpip|gcc|build-essential|nodejs|npm|-dev\b", runs)
    assert re.findall(r"^USER (.*)$", runs, re.MULTILINE) == ["10001:10001"]
    assert 'CMD ["haggle", "health"]' in runs
    assert not re.search("PASSWORD|TOKEN|SECRET|KEY", runs)
    seen = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert {name for name in seen if name.startswith("deploy")} == {"deploy/haggle.sh"}
    for line in re.findall(r"^COPY (?!--from)(.*) \S+$", IMAGE, re.MULTILINE):
        for source in line.split():
            assert (ROOT / source).exists()
            assert source in seen or source.split("/")[0] in seen, source


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_units_have_few_privileges(unit: Path) -> None:
    parser = configparser.ConfigParser(strict=False, interpolation=None, delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # keep the case of names
    parser.read(unit, encoding="utf-8")
    service = parser["Service"]
    wanted = {
        **dict.fromkeys(("NoNewPrivileges", "ProtectHome", "PrivateTmp", "PrivateDevices", "RestrictSUIDSGID"), "yes"),
        "User": "haggle",
        "ProtectSystem": "strict",
        "CapabilityBoundingSet": "",
        "StateDirectoryMode": "0700",
        "UMask": "0077",
    }
    assert {name: service.get(name) for name in wanted} == wanted
    assert service["StateDirectory"].split()[0] == "haggle"
    assert service["MemoryMax"]
    assert service["TasksMax"]
    assert service["ExecStart"].replace("/bin/sh -c 'exec ", "").startswith("/opt/haggle/haggle ")
    if unit.name in {"haggle.service", "haggle-worker@.service"}:
        assert service["OOMPolicy"] == "continue", "a scan that takes too much memory ends alone"


def test_the_caddyfile_supports_uploads_and_streams() -> None:
    """Photos may be as large as for the server, and streams of disconnected clients are closed."""
    lines = (DEPLOY / "Caddyfile").read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.strip().startswith("#"))
    assert "max_size 45MB" in text
    assert "flush_interval" not in text
    assert "trusted_proxies" not in text
    assert not re.search(r"^\s*log\b", text, re.MULTILINE)
