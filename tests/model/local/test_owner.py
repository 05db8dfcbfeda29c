"""The owner of a port, from made-up tables of the kernel and from the real ones."""

import asyncio
import os
import pwd
import sys

import pytest

from cave_lab.model.local.owner import listening_uid, owner_of
from tests.fakes.local_servers import LocalServer, needs_ipv6, silent

LITTLE = pytest.mark.skipif(sys.byteorder != "little", reason="the tables are of such a CPU")
TITLE = (
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout\n"
)


BETWEEN = "00000000:00000000 00:00000000 00000000"


def table(*rows: tuple[str, str, int]) -> str:
    return TITLE + "".join(
        f"   {n}: {local} 00000000:0000 {state} {BETWEEN} {uid:5} 0 7\n"
        for n, (local, state, uid) in enumerate(rows)
    )


LOOPBACK = "0100007F:2CAA"
ANY = "00000000:2CAA"
ANY_6 = "0" * 32 + ":2CAA"
LOOPBACK_6 = "0" * 24 + "01000000:2CAA"
MAPPED = "0" * 16 + "FFFF00000100007F:2CAA"


@LITTLE
@pytest.mark.parametrize(
    "tcp, tcp6, host, expected",
    [
        ([(LOOPBACK, "0A", 1000)], [], "127.0.0.1", 1000),
        ([(ANY, "0A", 1000)], [], "127.0.0.1", 1000),
        ([(ANY, "0A", 1), (LOOPBACK, "0A", 2)], [], "127.0.0.1", 2),
        ([], [(ANY_6, "0A", 3)], "127.0.0.1", 3),
        ([], [(MAPPED, "0A", 4)], "127.0.0.1", 4),
        ([(ANY, "0A", 1)], [(ANY_6, "0A", 3)], "127.0.0.1", 1),
        ([], [(LOOPBACK_6, "0A", 5)], "::1", 5),
        ([], [(ANY_6, "0A", 3)], "::1", 3),
        ([(ANY, "0A", 1)], [], "::1", None),
        ([(LOOPBACK, "01", 1000)], [], "127.0.0.1", None),
        ([("0100007F:2CAB", "0A", 1000)], [], "127.0.0.1", None),
        ([("0200007F:2CAA", "0A", 1000)], [], "127.0.0.1", None),
        ([], [], "127.0.0.1", None),
    ],
)
def test_the_listener_of_the_nearest_address_counts(tcp, tcp6, host, expected):
    assert listening_uid([table(*tcp), table(*tcp6)], host, 11434) == expected


@pytest.mark.parametrize("text", ["", "nothing of the kind", TITLE + "   0: 0100007F:2CAA 0A\n"])
def test_a_table_that_is_none_names_nobody(text):
    assert listening_uid([text], "127.0.0.1", 11434) is None


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
@pytest.mark.parametrize("host", ["127.0.0.1", pytest.param("::1", marks=needs_ipv6)])
async def test_a_port_of_ones_own_is_ones_own(host):
    me = pwd.getpwuid(os.getuid()).pw_name
    async with LocalServer(silent, host=host) as server:
        assert await asyncio.to_thread(owner_of, host, server.port) == me


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
async def test_a_port_on_which_nobody_listens_is_nobodys():
    async with LocalServer(silent) as server:
        port = server.port
    assert owner_of("127.0.0.1", port) is None
