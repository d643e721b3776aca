"""Firmware images as MCUboot has them: ``docs/protocols/mcuboot.md``.

``image`` says what an image is, ``codec`` turns bytes into one and back, ``layout`` declares the bytes. Nothing here
judges an image: whether its signature holds, and whose it is, is for whoever would run or install it.
"""
