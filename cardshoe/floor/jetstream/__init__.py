"""The floor behind NATS JetStream: batches come by a stream, and land as those over HTTPS do.

The stream is a carrier and never the record. It may be gone, shorter or behind at any time; it is made anew, and tables
send again what lies above their signed marks.
"""
