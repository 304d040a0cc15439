#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records what the kernel's rtnetlink says of a made-up machine, as the tests of the parser read it.

  unshare -rn Fixtures/record.py    writes links.bin, routes4.bin and routes6.bin beside itself
"""
import pathlib
import socket
import struct
import subprocess

SETUP = """
link set lo up
link add eth0 type veth peer name far0
link add usb0 type veth peer name far1
link add off0 type veth peer name far2
link set eth0 up
link set far0 up
link set usb0 up
link set far1 up
addr add 10.1.0.2/24 dev eth0
addr add 10.2.0.2/24 dev usb0
route add default via 10.1.0.1 metric 600
route add default metric 700 nexthop via 10.2.0.1 weight 1 nexthop via 10.1.0.1 weight 1
route add default via 10.2.0.1 metric 10 table 77
route add unreachable default metric 5
route add 10.3.0.0/16 via 10.2.0.1 metric 1
-6 addr add fd00:1::2/64 dev eth0 nodad
-6 addr add fd00:2::2/64 dev usb0 nodad
-6 route add default via fd00:2::1 metric 50
-6 route add unreachable default metric 4000
"""


def dump(kind, family):
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as netlink:
        netlink.send(struct.pack("=IHHIIB15x", 32, kind, 0x301, 7, 0, family))
        datagrams = b""
        while True:
            datagram = netlink.recv(65536)
            datagrams += datagram
            if struct.unpack_from("=H", datagram, 4)[0] == 3:  # NLMSG_DONE, in a datagram of its own
                return datagrams


for line in SETUP.strip().splitlines():
    subprocess.run(["ip"] + line.split(), check=True)
folder = pathlib.Path(__file__).parent
(folder / "links.bin").write_bytes(dump(18, 0))
(folder / "routes4.bin").write_bytes(dump(26, socket.AF_INET))
(folder / "routes6.bin").write_bytes(dump(26, socket.AF_INET6))
