"""Reports the states that Home Assistant knows to the trial, and provides media players whose devices are files of the trial."""
import json
import os
import threading
from datetime import timedelta

from homeassistant.helpers.discovery import async_load_platform
from homeassistant.helpers.event import async_track_time_interval

FOLDER = os.environ["RIG_DIR"]


def write(path, value):
    new = f"{path}.{threading.get_ident()}"
    with open(new, "w") as file:
        json.dump(value, file)
    os.replace(new, path)


async def async_setup(hass, config):
    async def tell(_now):
        states = {state.entity_id: [state.state, {name: str(value) for name, value in state.attributes.items()}]
                  for state in hass.states.async_all()}
        await hass.async_add_executor_job(write, os.path.join(FOLDER, "states.json"), states)

    async_track_time_interval(hass, tell, timedelta(seconds=0.2))
    hass.async_create_task(async_load_platform(hass, "media_player", "rig", {}, config))
    return True
