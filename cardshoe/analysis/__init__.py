"""Was it shuffled? Faces in, a verdict out; imports `regulations.events.cards` alone.

`lines` reads shoes from the lines of a table log, `picking_up` says how their cards lay before the next shuffle.
`gamblers` explains the bets of `walking`, `near` and `successors`; `account` keeps their wealth. `pairs`,
`runs`, `permutations` and `classical` are the other tests, `verdict` weighs all of them.
"""
