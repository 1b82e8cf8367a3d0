"""Servers on loopback for tests and benchmarks: PostgreSQL, and S3 by moto."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

INSTALL_POSTGRES = "PostgreSQL isn't installed: apt-get install postgresql"
INSTALL_MOTO = "moto isn't installed: pip install 'moto[server,s3]'"
PASSWORD = "pass/word@1 with:marks"
SECONDS = 60


def free_port() -> int:
    """Return an unused port."""
    with closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def wait_for(ready: Callable[[], object], process: subprocess.Popen, log: Path) -> None:
    """Wait until a server responds."""
    end = time.monotonic() + SECONDS
    while True:
        try:
            ready()
            return
        except Exception:
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(log.read_text(errors="replace")[-2000:]) from None
            time.sleep(0.05)


def postgres_programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, on the path or in Debian's place."""
    for name in ("initdb", "postgres"):
        program = shutil.which(name)
        if program:
            return Path(program).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return next((folder for folder in reversed(folders) if (folder / "initdb").exists()), None)


@contextmanager
def postgres() -> Iterator[dict[str, Any]]:
    """Run PostgreSQL with a new database; yield the connection parameters in libpq's names."""
    programs = postgres_programs()
    assert programs is not None, INSTALL_POSTGRES
    as_user: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="pf-pg-", dir="/tmp", ignore_cleanup_errors=True) as name:
        folder, port = Path(name), free_port()
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            user = pwd.getpwnam("nobody")
            as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(folder, user.pw_uid, user.pw_gid)
        secret = folder / "secret"
        secret.write_text(PASSWORD)
        os.chmod(secret, 0o644)
        created = subprocess.run(
            [
                *(programs / "initdb", "-D", folder / "data", "-U", "tester", "-A", "scram-sha-256", "-N"),
                *(f"--pwfile={secret}", "-E", "UTF8", "--locale=C"),
            ],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            **as_user,
        )
        if created.returncode:
            raise RuntimeError(created.stderr[-2000:])
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": port,
            "unix_socket_directories": folder,
            "fsync": "off",
            "synchronous_commit": "off",
            "full_page_writes": "off",
            "max_wal_size": "4GB",
        }
        options = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
        with open(folder / "log", "wb") as log:
            server = subprocess.Popen(
                [programs / "postgres", "-D", folder / "data", *options],
                cwd=folder,
                stdout=log,
                stderr=log,
                **as_user,
            )
        how = {
            "host": "127.0.0.1",
            "port": port,
            "user": "tester",
            "password": PASSWORD,
            "dbname": "postgres",
        }
        try:
            import psycopg

            wait_for(lambda: psycopg.connect(**how).close(), server, folder / "log")
            yield how
        finally:
            server.terminate()  # a "smart" shutdown waits for clients
            with suppress(subprocess.TimeoutExpired):
                server.wait(2)
            if server.poll() is None:
                server.send_signal(2)  # a "fast" shutdown doesn't
                server.wait(SECONDS)


@contextmanager
def s3() -> Iterator[dict[str, str]]:
    """Run an S3 server in its own process; yield the environment for its clients."""
    port = free_port()
    environment = {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "tester",
        "AWS_SECRET_ACCESS_KEY": secrets.token_hex(16),
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_REQUEST_CHECKSUM_CALCULATION": "when_required",
    }
    with tempfile.TemporaryDirectory(prefix="pf-s3-") as name:
        log = Path(name) / "log"
        with open(log, "wb") as out:
            server = subprocess.Popen(
                [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
                stdout=out,
                stderr=out,
                env=os.environ | environment,
            )
        try:
            wait_for(lambda: socket.create_connection(("127.0.0.1", port), 1).close(), server, log)
            yield environment
        finally:
            server.terminate()
            server.wait(SECONDS)
