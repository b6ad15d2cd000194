"""Players whose devices are files: like real devices, they keep playing while Home Assistant is stopped."""
import json
import os
from datetime import timedelta

from homeassistant.components.media_player import MediaPlayerEntity, MediaPlayerEntityFeature, MediaPlayerState

from . import FOLDER, write

SCAN_INTERVAL = timedelta(seconds=0.2)
COUNT = int(os.environ.get("RIG_PLAYERS", "4"))


async def async_setup_platform(hass, config, add, info=None):
    add([Player(number) for number in range(COUNT)], True)


class Player(MediaPlayerEntity):
    _attr_supported_features = (
        MediaPlayerEntityFeature.PAUSE | MediaPlayerEntityFeature.PLAY | MediaPlayerEntityFeature.STOP
        | MediaPlayerEntityFeature.VOLUME_SET | MediaPlayerEntityFeature.PLAY_MEDIA | MediaPlayerEntityFeature.MEDIA_ANNOUNCE
        | MediaPlayerEntityFeature.TURN_OFF | MediaPlayerEntityFeature.TURN_ON)

    def __init__(self, number):
        self._attr_name = f"Room {number}"
        self._attr_unique_id = f"room_{number}"
        self.file = os.path.join(FOLDER, f"player-{number}.json")

    def device(self, **changes):
        with open(self.file) as file:
            device = json.load(file)
        if changes:
            device.update(changes)
            write(self.file, device)
            with open(self.file + ".log", "a") as log:
                log.write(json.dumps(changes) + "\n")
        return device

    def update(self):
        device = self.device()
        self._attr_state = MediaPlayerState(device["state"])
        self._attr_volume_level = device["volume"]

    def media_pause(self):
        self.device(state="paused")

    def media_play(self):
        self.device(state="playing")

    def media_stop(self):
        self.device(state="idle")

    def set_volume_level(self, volume):
        self.device(volume=volume)

    def play_media(self, media_type, media_id, **kwargs):
        self.device(announced=media_id, state="playing")
