"""TDP's link as a model, every order of events searched by ``spin``, and its counter-examples against real links."""
