"""The rig for the checks of a Bee-Tek shoe; nothing is sent."""

from conformance.bench import Bench
from conformance.recorder import MessageRecorder
from protocols.bee_tek.decoder import LineDecoder
from protocols.bee_tek.messages import BeeTekMessage


class BeeTekRig(MessageRecorder[BeeTekMessage]):
    def __init__(self, bench: Bench) -> None:
        super().__init__(bench, LineDecoder)

    def took(self, item: BeeTekMessage, now_s: float) -> None:
        self.bench.health.frame(item.raw, now_s, sends_copies=False)
