#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Answers on a private bus as NetworkManager never would. The argument says how: types, array, nothing, error, silent."""
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

MODE = sys.argv[1]
NAME = "org.freedesktop.NetworkManager"
SIGNATURE = {"array": "as", "nothing": ""}.get(MODE, "a{sv}")


class Manager(dbus.service.Object):
    @dbus.service.method(
        "org.freedesktop.DBus.Properties",
        in_signature="s",
        out_signature=SIGNATURE,
        async_callbacks=("answer", "fail"),
    )
    def GetAll(self, interface, answer, fail):
        if MODE == "types":
            deep = dbus.Array([dbus.Dictionary({"a": dbus.Array([1, 2], "u")}, "sv")], "a{sv}")
            answer({"Deep": deep, "PrimaryConnectionType": dbus.UInt32(5), "Metered": dbus.UInt32(1), "Version": "1"})
        elif MODE == "array":
            answer(["PrimaryConnectionType", "gsm"])
        elif MODE == "nothing":
            answer()
        elif MODE == "error":
            fail(dbus.exceptions.DBusException("no", name="com.example.No"))


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SystemBus()
name = dbus.service.BusName(NAME, bus)
manager = Manager(bus, "/org/freedesktop/NetworkManager")
print("ready", flush=True)
GLib.MainLoop().run()
