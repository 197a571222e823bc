# Copyright (c) 2026 The counters
# SPDX-License-Identifier: MIT

"""Sends what was counted."""

import asyncio


class Post:
    """A place that gets the counts."""

    def __init__(self, send):
        self.send = send
        self.sent = []

    async def one(self, name):
        """Sends one name."""
        await asyncio.sleep(0)
        self.sent.append(name)

    async def all(self, names):
        """Sends all of them."""
        for name in names:
            await self.one(name)
        return len(self.sent)
