#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Changes the mocked NetworkManager on a private bus: the arguments are its connection type and its metered number."""
import sys

import dbus

NAME = "org.freedesktop.NetworkManager"
MOCK = "org.freedesktop.DBus.Mock"

manager = dbus.SystemBus().get_object(NAME, "/org/freedesktop/NetworkManager")
changes = {"PrimaryConnectionType": sys.argv[1], "Metered": dbus.UInt32(sys.argv[2])}
known = manager.GetAll(NAME, dbus_interface="org.freedesktop.DBus.Properties")
for key in changes.keys() - known.keys():
    manager.AddProperty(NAME, key, changes[key], dbus_interface=MOCK)
manager.UpdateProperties(NAME, changes, dbus_interface=MOCK)
