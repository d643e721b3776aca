"""Batches by NATS JetStream.

The stream is never the record: if lost, tables resend all above their receipts.
"""
