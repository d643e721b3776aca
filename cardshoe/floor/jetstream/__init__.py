"""The floor behind NATS JetStream: batches come by a stream, and land as those over HTTPS do.

The stream is a carrier and never the record.

The stream may be lost or behind at any time: it is recreated, and tables resend all above their signed marks.
"""
